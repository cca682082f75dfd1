"""What is said of a map and what is offered next: worded from what was measured, never about marks alone."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.helpers.app import choose, open_app, speak
from tests.helpers.named import link, named_head
from viz.state import telling
from viz.state.atlas import card
from viz.state.causal import carriers
from viz.state.picture import picture
from viz.state.selection import Selection
from viz.text import LANGUAGES, translate, verbatim

HAPPY = "I am so happy."
SENTENCES = (HAPPY, "Hello.", "Good night, my friend.", "What time is lunch?", "The cats are sleeping.")
say = translate("en")


def said(app: AppTest) -> str:
    return app.text[0].value


def captions(app: AppTest) -> str:
    return " ".join(each.value for each in app.caption)


@pytest.mark.parametrize("text", SENTENCES)
@pytest.mark.parametrize("kind", ["encoder", "cross"])
def test_a_finding_is_about_words(translator, text, kind):
    trace = translator.trace(text)
    for layer, head in np.ndindex(*trace.attention[kind].shape[:2]):
        shown = picture(trace, Selection(kind=kind, layer=layer, head=(head,)), say)
        row, column = telling.clearest(shown)
        for label in (shown.queries[row], shown.keys[column]):
            assert any(map(str.isalnum, label))
            assert label not in (say("piece.start"), say("piece.end"))


def test_the_first_finding_names_two_words_and_their_weight(translator):
    app = open_app(s=HAPPY)
    chosen = Selection(layer=app.session_state["layer"], head=tuple(app.session_state["head"]))
    shown = picture(translator.trace(HAPPY), chosen, say)
    row, column = telling.clearest(shown)
    words = {"looking": shown.queries[row], "seen": shown.keys[column]}
    assert said(app) == say("finding.weight", **words, weight=f"{shown.combined[row, column]:.2f}")


def test_a_head_that_rests_on_marks_is_said_to(translator):
    trace = translator.trace(HAPPY)
    marks = trace.attention["encoder"][:, :, :-2, -2:].sum((-2, -1))  # the full stop and the end
    layer, head = map(int, np.unravel_index(marks.argmax(), marks.shape))
    resting = telling.rest(picture(trace, Selection(kind="encoder", layer=layer, head=(head,)), say))
    if resting is None:
        pytest.skip("no head of this checkpoint rests on marks here")
    assert resting.share == pytest.approx(marks[layer, head] / 4, abs=1e-4)
    told = said(open_app(s=HAPPY, **link(("encoder", layer, head))))
    assert told.startswith(say("finding.rests.weight", marks="@", mark="").split("@")[0])
    assert f"{resting.share:.0%}" in told


@pytest.mark.parametrize("language", LANGUAGES)
def test_norms_without_special_tokens_say_one_true_thing(language):
    app = speak(open_app(weighting="norm", special="hidden"), language)
    speech = translate(language)
    scaled, kept = (
        speech(f"special.mass.{way}", mean="@", most="@").rpartition("@")[2] for way in ("weight", "norm")
    )
    assert kept in captions(app) and scaled not in captions(app)
    assert scaled in captions(choose(app, weighting="weight"))


def test_a_head_that_follows_the_word_just_read_offers_to_switch_the_labels(atlas):
    errors = {
        (entry["kind"], entry["layer"], entry["head"]): entry["measures"]
        for entry in atlas["heads"]
        if entry["kind"] == "cross"
    }
    gain = lambda head: errors[head]["aer.predicted"]["value"] - errors[head]["aer.read"]["value"]  # noqa: E731
    head = max(errors, key=gain)
    if gain(head) < 0.3:
        pytest.skip("no head of this checkpoint follows the word just read")
    app = open_app(**link(head))
    for way in ("predicted", "read"):
        assert verbatim(f"{errors[head][f'aer.{way}']['value']:.0%}") in captions(app)
    app.button(key="nudge_go").click().run()
    assert app.session_state["reading"] == "read"
    assert verbatim(say("nudge.reading.read", there="@", here="", count="").split("@")[0]) not in captions(
        app
    )


def test_a_named_head_offers_to_be_switched_off(atlas):
    named_head(atlas)  # skips where there is none
    head = next(
        head
        for head in carriers(atlas)
        if head[0] != "cross" or card(atlas, *head)["measures"]["aer.predicted"]["value"] < 0.5
    )
    app = open_app(**link(head))
    app.button(key="nudge_go").click().run()
    assert not app.exception
    assert f"layers.{head[1]}." in app.session_state["edits"]
    assert app.session_state["test"] == "compare"
    assert say("experiment.title") in [each.value for each in app.title]


def test_an_even_head_offers_the_surest_of_its_layer(atlas, translator):
    trace = translator.trace(open_app().session_state["shown"])
    even = telling.evenness(trace.attention["encoder"], trace.mask["encoder"])
    for kind, layer, head in carriers(atlas):
        if kind == "encoder":
            even[layer, head] = 0  # another nudge comes first
    layer, head = map(int, np.unravel_index(even.argmax(), even.shape))
    if even[layer, head] <= telling.EVEN:
        pytest.skip("no head of this checkpoint looks everywhere alike here")
    even = telling.evenness(trace.attention["encoder"], trace.mask["encoder"])
    app = open_app(**link(("encoder", layer, head)))
    app.button(key="nudge_go").click().run()
    assert app.session_state["head"] == [int(even[layer].argmin())]
