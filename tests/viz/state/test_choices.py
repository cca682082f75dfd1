"""What is on screen survives a link, and a link with nonsense in it does no harm."""

import re
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as some

from tests.helpers.app import PAGES
from tests.helpers.paths import ROOT
from viz.pages import load
from viz.pages.look.comparison import Comparison
from viz.state.choices import Choices, Limits
from viz.state.selection import Selection

LIMITS = Limits(layers=6, heads=8)
DECLARED = [Selection, *(page.choices for page in load(*PAGES).values())]
NAMES = [name for choices in DECLARED for name in choices.names()]
TEXTS = [  # what a link may hold, sensible or not
    "", "0", "3", "5,1", "9", "99", "-1", "²", "1e3", "x", "cross", "on", "norm", "table", "10000",
    "offset.-1",
]  # fmt: skip


def found_in(choices: type[Choices], link: dict[str, str]) -> tuple[Choices, list[str]]:
    return choices.from_link(link, choices(), LIMITS)


@pytest.mark.parametrize("choices", DECLARED, ids=lambda choices: choices.__name__)
@given(some.data())
def test_a_link_brings_back_what_was_chosen(choices, data):
    asked = {name: data.draw(some.sampled_from(TEXTS)) for name in choices.names()}
    for name in choices.names():
        if choices.options(name):
            asked[name] = str(data.draw(some.sampled_from(choices.options(name))))
    chosen, _ = found_in(choices, asked)
    assert found_in(choices, chosen.to_link(choices())) == (chosen, [])


@pytest.mark.parametrize("choices", DECLARED, ids=lambda choices: choices.__name__)
@given(some.data())
def test_nonsense_is_named_and_leaves_the_usual_view(choices, data):
    link = data.draw(some.dictionaries(some.sampled_from(choices.names()), some.text()))
    found, refused = found_in(choices, link)
    for name in refused:
        assert getattr(found, name) == getattr(choices(), name)
    for each in fields(choices):
        options = choices.options(each.name)
        assert not options or getattr(found, each.name) in options


@pytest.mark.parametrize(
    ("name", "text"),
    [("layer", "6"), ("head", "8"), ("head", "1,99"), ("head", ""), ("row", "-1"), ("row", "1,2"),
     ("key_width", "33"), ("base", "0"), ("places", "1e3"), ("waves", "999"), ("step", "fly"), ("rival", "x"),
     ("layer", "²"), ("layer", "1e3"), ("kind", "Encoder"), ("units", "letters"), ("by", "a b")],
)  # fmt: skip
def test_what_does_not_exist_is_refused_by_name(name, text):
    (choices,) = (each for each in DECLARED if name in each.names())
    assert found_in(choices, {name: text}) == (choices(), [name])


def test_no_two_pages_declare_the_same_name():
    assert len(set(NAMES)) == len(NAMES)


def test_no_view_takes_the_name_of_a_field():
    """What was clicked in a view is kept under its key, what was chosen under the name of the field."""
    shows = re.compile(r'\bshow\([^()]*(?:\([^()]*\)[^()]*)*\bkey="(\w+)"')
    views = {key for file in (ROOT / "viz").rglob("*.py") for key in shows.findall(file.read_text("utf-8"))}
    assert "matrix" in views and not views & set(NAMES)


def test_what_a_page_steps_through_has_options():
    for page in load(*PAGES).values():
        assert page.steps == "head" or page.places or page.choices.options(page.steps)


@given(
    some.sampled_from(Comparison.options("compare")),
    some.text(min_size=1),
    some.integers(0, LIMITS.layers - 1),
    some.integers(0, LIMITS.heads - 1),
)
def test_a_comparison_survives_its_link(way, text, layer, head):
    link = Comparison(way, text, layer, head, other_model=text).to_link(Comparison())
    found, refused = found_in(Comparison, link)
    assert not refused and found.to_link(Comparison()) == link


@pytest.mark.parametrize(
    "text", ["head:9.0", "head:0.9", "head:", "head:1", "sentence:", "sister", "untrained:1"]
)
def test_a_comparison_with_nothing_is_refused(text):
    assert found_in(Comparison, {"compare": text}) == (Comparison(), ["compare"])
