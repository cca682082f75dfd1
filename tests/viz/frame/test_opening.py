"""What the opening tells is measured, and where there is nothing to tell it is shorter."""

import re
from html import unescape

import pytest

import viz.frame.opening
from tests.helpers.app import open_app, speak, write
from viz.state.opening import SENTENCE, _told, story
from viz.text import LANGUAGES, translate


def told(app) -> str:
    """The one sentence that is told; nothing where there is no opening."""
    found = [each.proto.body for each in app.get("html") if 'class="told' in each.proto.body]
    return unescape(re.search("<p[^>]*>(.*?)</p>", found[0])[1]) if found else ""


def steps(app) -> list[str]:
    """All that is told, to the end."""
    said = [told(app)]
    while any(button.key == "opening_next" for button in app.button):
        app.button(key="opening_next").click().run()
        assert not app.exception
        said.append(told(app))
    return said


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_is_told_in_every_language(app, language):
    said = steps(speak(app, language))
    assert len(set(said)) == 6
    assert all(len(each) < 140 for each in said), "what is read in twelve seconds"


def test_the_story_holds_on_this_checkpoint(app, translator):
    found = story()
    trace = translator.trace(found.sentence)
    after = translator.trace(found.sentence, None, found.edits)
    ids, others = trace.target.predicted_ids, after.target.predicted_ids
    assert ids[: found.row] == others[: found.row] and ids[found.row] != others[found.row]
    weights = trace.attention[found.kind][found.layer, found.head, found.row]
    assert weights.argmax() == found.column
    *_, said = steps(app)
    now = translator.trace(found.sentence, ids, found.edits).log_probs[found.row]
    assert f"{float(2.718281828**now):.0%}" in said


def test_a_head_whose_silence_changes_nothing_has_no_story(app):
    silent = {"kind": "cross", "layer": 0, "head": 0, "phenomenon": "negation"}
    assert _told(SENTENCE, silent) is None


def test_without_a_story_the_opening_ends_at_the_lines(monkeypatch):
    monkeypatch.setattr(viz.frame.opening, "story", lambda: None)
    app = open_app()
    assert len(steps(app)) == 3
    app.button(key="opening_all").click().run()
    assert app.title[0].value == translate("en")("all_heads.title")
    app.session_state["going"] = "look"
    app.run()
    assert not told(app)


def test_it_can_be_seen_again_from_the_examples_and_undo_does_not_bring_it_back(app):
    app.button(key="opening_skip").click().run()
    assert not told(app)
    write(app, "She is here.")
    app.session_state["examples"] = True
    app.run()
    app.button(key="opening_again").click().run()
    assert told(app) and app.text_input(key="sentence").value == SENTENCE
    app.button(key="undo").click().run()
    assert not told(app) and app.text_input(key="sentence").value == "She is here."
