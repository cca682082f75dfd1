"""What is said of a head: its names, what breaks without it, and what was seen in where it looks."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.helpers.app import open_app, speak
from tests.helpers.named import link, named_head, nameless_head, words
from viz.state import runs
from viz.state.causal import Where, carriers, entry_of, phenomena
from viz.text import LANGUAGES, translate, verbatim
from viz.widgets.names import role_name


def shown(head: Where, language: str = "en") -> AppTest:
    return speak(open_app(**link(head)), language)


def captions(app: AppTest) -> list[str]:
    return [each.value for each in app.caption]


def title(head: Where, say) -> str:
    kind, layer, number = head
    return say("name.one", kind=say(f"kind.{kind}"), layer=layer + 1, heads=number + 1)


@pytest.fixture
def unasked(monkeypatch, atlas):
    """The same checkpoint before anybody has asked what breaks."""
    before = {name: told for name, told in atlas.items() if name != "causal"}
    monkeypatch.setattr(runs, "atlas", lambda corpus: before)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_head_stands_under_its_names_and_says_what_breaks_without_it(atlas, language):
    head, say = named_head(atlas), translate(language)
    names, said = words(atlas, head, say), captions(shown(head, language))
    assert verbatim(" · ".join([title(head, say), *names])) in said
    assert any(verbatim(say("head.named", head=head[2] + 1, name=names[0])) in each for each in said)
    told = phenomena(atlas)[carriers(atlas)[head][0]]
    entry = entry_of(told, head)
    numbers = {"fall": f"{-entry['silenced']['value']:.1f}", "gap": f"{told['gap']:.1f}"}
    flips = f"{100 * entry['flips']:.0f}"
    broken = verbatim(say("look.broken", name=names[0], flips=flips, **numbers))
    (sentence,) = (each for each in said if broken in each)
    assert sentence.index(broken) == len(verbatim(say("look.without", broken="@")).partition("@")[0])
    assert all(verbatim(name) in sentence for name in names)
    assert verbatim(say("look.no_role", count=atlas["sentences"]["measured"])) not in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_head_without_a_name_is_given_none(atlas, language):
    head, say = nameless_head(atlas), translate(language)
    said = captions(shown(head, language))
    assert verbatim(title(head, say)) in said
    assert verbatim(say("look.no_role", count=atlas["sentences"]["measured"])) in said
    assert not any(verbatim(say("look.without", broken="@")).partition("@")[0] in each for each in said)


def test_the_names_of_a_layer_are_beside_its_heads_and_of_no_other(atlas):
    named = named_head(atlas)
    for layer in range(1 + max(entry["layer"] for entry in atlas["heads"])):
        say, said = translate("en"), captions(shown((named[0], layer, 0)))
        here = {
            head: words(atlas, head, say)[0]
            for head in sorted(carriers(atlas))
            if head[:2] == (named[0], layer)
        }
        line = " · ".join(say("head.named", head=head[2] + 1, name=name) for head, name in here.items())
        assert (verbatim(line) in said) == bool(here)


def test_where_less_is_better_that_is_said(atlas, monkeypatch):
    say = translate("en")
    monkeypatch.setattr("viz.widgets.names.say", say)
    lower = [role for role in atlas["evidence"] if role["measure"].startswith("aer.")]
    higher = [role for role in atlas["evidence"] if not role["measure"].startswith("aer.")]
    for (role, *_), key, digits in ((lower, "look.role.lower", "{:.0%}"), (higher, "look.role", "{:.2f}")):
        sides = {side: digits.format(role[side]).removesuffix("%") for side in ("value", "baseline")}
        sentence = verbatim(say(key, role=role_name(role["role"]), **sides))
        said = captions(shown((role["kind"], role["layer"], role["head"])))
        assert any(sentence in each for each in said), (sentence, said)
        assert ("lower is better" in sentence) == (role in lower)


def test_before_anybody_has_asked_all_looks_as_it_did(atlas, unasked):
    say, head = translate("en"), nameless_head(atlas, observed=False)
    said = captions(shown(named_head(atlas)))
    assert verbatim(title(named_head(atlas), say)) in said
    assert not any(say("look.without", broken="@").partition("@")[0] in each for each in said)
    assert verbatim(say("look.no_role", count=atlas["sentences"]["measured"])) in captions(shown(head))


@pytest.mark.parametrize("page", ["look", "all_heads", "inside", "experiment"])
def test_without_an_atlas_heads_have_numbers_and_no_names(monkeypatch, atlas, page):
    head = named_head(atlas)
    monkeypatch.setattr(runs, "atlas", lambda corpus: None)
    app = open_app(page, **link(head))
    names = words(atlas, head, translate("en"))
    assert not any(verbatim(name) in each for name in names for each in captions(app))
