"""What is on screen survives a link, and a link with nonsense in it does no harm."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from viz.pages.look.comparison import WAYS, Comparison
from viz.state.selection import CHOICES, NUMBERS, Selection, from_link, to_link

LAYERS, HEADS = 6, 8
NOWHERE = Selection(kind="", layer=-1, head=())
choices = {name: some.sampled_from(options) for name, options in (CHOICES | NUMBERS).items()}
places = some.none() | some.integers(0, 500)
selections = some.builds(
    Selection,
    layer=some.integers(0, LAYERS - 1),
    head=some.sets(some.integers(0, HEADS - 1), min_size=1).map(lambda heads: tuple(sorted(heads))),
    row=places,
    column=places,
    rival=places,
    kept=places,
    first=some.integers(0, 500),
    second=some.integers(0, 500),
    waves=some.sets(some.integers(0, 255), min_size=1).map(lambda pairs: tuple(sorted(pairs))),
    **choices,
)


@given(selections)
def test_a_link_brings_back_what_was_on_screen(selection):
    for usual in (Selection(), NOWHERE):
        assert from_link(to_link(selection, usual), usual, LAYERS, HEADS) == (selection, [])


@given(
    some.dictionaries(some.sampled_from([*CHOICES, *NUMBERS, "layer", "head", "row", "waves"]), some.text())
)
def test_nonsense_is_named_and_leaves_the_usual_view(link):
    found, refused = from_link(link, Selection(), LAYERS, HEADS)
    for name in refused:
        assert getattr(found, name) == getattr(Selection(), name)
    assert 0 <= found.layer < LAYERS
    assert found.head and set(found.head) <= set(range(HEADS))


@pytest.mark.parametrize(
    ("name", "text"),
    [("layer", "6"), ("head", "8"), ("head", "1,99"), ("head", ""), ("row", "-1"), ("row", "1,2"),
     ("key_width", "33"), ("base", "0"), ("places", "1e3"), ("waves", "999"), ("step", "fly"), ("rival", "x"),
     ("layer", "²"), ("layer", "1e3"), ("kind", "Encoder"), ("units", "letters")],
)  # fmt: skip
def test_what_does_not_exist_is_refused_by_name(name, text):
    assert from_link({name: text}, Selection(), LAYERS, HEADS) == (Selection(), [name])


@given(
    some.sampled_from(WAYS),
    some.text(min_size=1),
    some.integers(0, LAYERS - 1),
    some.integers(0, HEADS - 1),
)
def test_a_comparison_survives_its_link(way, text, layer, head):
    compared = Comparison(way, text, layer, head)
    found = Comparison.from_link(compared.to_link().get("compare", ""), LAYERS, HEADS)
    assert found.to_link() == compared.to_link()


@pytest.mark.parametrize(
    "text", ["head:9.0", "head:0.9", "head:", "head:1", "sentence:", "sister", "untrained:1"]
)
def test_a_comparison_with_nothing_is_refused(text):
    assert Comparison.from_link(text, LAYERS, HEADS) is None
