"""Given the right answer: both rows are the model's own numbers, and nothing typed is lost."""

from dataclasses import replace

import numpy as np
import pytest

from model import load
from model.atlas.searches import pairs_of
from tests.helpers.app import open_app, write
from viz.pages.decoding.figures import given as figures
from viz.pages.decoding.numbers.given import beside, listed, row, window
from viz.pages.decoding.panels.references import usual_reference
from viz.state import searches
from viz.text import LANGUAGES, translate

TEXT = "The old man reads a book."
TYPED = "Le vieux monsieur lit un livre."
say = translate("en")


@pytest.fixture(scope="module")
def translator():
    return load("en-fr")


@pytest.fixture(scope="module")
def found(translator):
    right, own = translator.read(TYPED).ids, translator.translate(TEXT).ids
    return beside(*(row(ids, translator.distributions(TEXT, ids)) for ids in (right, own)))


def drawn(found, translator, at: int = 0) -> figures.Drawing:
    labels = [translator.tokenizer.choices(ids) for ids in (found.right.ids, found.own.ids, found.right.best)]
    return figures.rows(found, figures.Words(*labels), at, say)


def test_the_totals_are_the_models_own(translator, found):
    assert found.right.total == pytest.approx(translator.score([(TEXT, TYPED)])[0], abs=1e-4)
    assert found.own.total == pytest.approx(sum(translator.translate(TEXT).log_probs), abs=1e-4)


def test_where_they_part_the_model_would_have_said_its_own(found):
    parts = found.parts
    assert parts is not None and found.right.ids[:parts] == found.own.ids[:parts]
    assert found.right.best[parts] == found.own.ids[parts] != found.right.ids[parts]
    np.testing.assert_allclose(found.right.log_probs[:parts], found.own.log_probs[:parts], atol=1e-5)
    assert found.apart is None or found.apart > parts
    assert found.usual > parts


def test_what_is_the_same_never_parts(translator):
    ids = translator.translate(TEXT).ids
    own = row(ids, translator.distributions(TEXT, ids))
    same = beside(own, own)
    assert same.parts is None and same.apart is None
    assert same.usual == int(own.log_probs.argmin())


def test_the_likeliest_are_listed_and_the_one_that_stands_there(translator):
    log_probs = translator.distributions(TEXT, translator.translate(TEXT).ids)[0]
    rare = int(np.argsort(-log_probs)[100])
    some = listed(log_probs, rare)
    assert len(some.ids) == 6 and some.ids[some.here] == rare
    np.testing.assert_allclose(some.probabilities, np.exp(log_probs[list(some.ids)]), atol=1e-6)
    best = listed(log_probs, int(log_probs.argmax()))
    assert len(best.ids) == 5 and best.here == 0


@pytest.mark.parametrize(("steps", "focus"), [(3, 2), (104, 0), (104, 50), (512, 511)])
@pytest.mark.parametrize("most", [figures.MOST, figures.MOST_NARROW])
def test_a_window_holds_what_is_looked_at(steps, focus, most):
    shown = window(steps, focus, most)
    assert focus in shown and len(shown) == min(steps, most)
    assert shown[0] >= 0 and shown[-1] < steps


def test_only_where_it_differs_the_model_says_something_else(translator, found):
    sheet = drawn(found, translator)
    for marks in (sheet.marks, sheet.narrow.marks):
        names = [mark.get("name", "") for mark in marks]
        told = {int(name.partition(".")[2]) for name in names if name.startswith("instead.")}
        assert told == set(np.flatnonzero(found.right.best != np.array(found.right.ids)))
        assert names.count("parting") == 1
        assert sum(name.startswith("own.") for name in names) == len(found.own.ids)


def test_nothing_stands_outside_the_sheet(translator, found):
    long = beside(*(replaced(each, 20) for each in (found.right, found.own)))
    for each in (found, long):
        sheet = drawn(each, translator, at=each.steps - 1)
        for drawing in (sheet, sheet.narrow):
            for mark in drawing.marks:
                if mark["shape"] == "rect":
                    assert mark["x"] >= 0 and mark["x"] + mark["wide"] <= drawing.wide + 0.1
                    assert mark["y"] + mark["high"] <= drawing.high


def replaced(short, times: int):
    """The same row many times over."""
    arrays = (np.tile(each, times) for each in (short.log_probs, short.best, short.best_log_probs))
    return short._replace(**dict(zip(("log_probs", "best", "best_log_probs"), arrays, strict=True)),
                          ids=short.ids * times)  # fmt: skip


def test_a_long_pair_is_drawn_in_part_and_says_so(translator, found):
    long = beside(*(replaced(each, 40) for each in (found.right, found.own)))
    sheet = drawn(long, translator, at=100)
    (told,) = (mark["text"] for mark in sheet.marks if mark.get("name") == "window")
    assert str(long.steps) in told
    assert any(mark.get("name") == "right.100" for mark in sheet.marks)
    assert sum(mark.get("name", "").startswith("right.") for mark in sheet.marks) == figures.MOST


def test_the_usual_reference_is_right_or_said_to_be_a_runner_up(translator):
    known = next(iter(pairs_of(translator.config)))
    other = replace(translator.translate(known), text="Autre chose.")
    assert usual_reference(known, other).origin == "known"
    assert usual_reference(known, other).text in searches.right_translations(known)
    own = translator.translate(TEXT)
    stand_in = usual_reference(TEXT, own)
    assert stand_in.origin == "runner_up" and stand_in.text != own.text
    assert stand_in.text in [each.text for each in translator.search(TEXT, size=4).hypotheses]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_typed_reference_comes_by_link_and_is_told_as_typed(language):
    app = open_app("decoding", s=TEXT, decoding="given", lang=language, reference=TYPED)
    speak = translate(language)
    assert app.text_input(key="reference").value == TYPED
    assert speak("decoding.given.origin.typed") in [each.value for each in app.caption]


@pytest.mark.parametrize("refused", ["책을 읽는 노인", "漢字だけの文", "\u200b"])
def test_what_cannot_be_read_stays_in_its_box_and_the_picture_stays(refused):
    app = open_app("decoding", s=TEXT, decoding="given", reference=TYPED)
    before = [each.value for each in app.text]
    app.text_input(key="reference").set_value(refused).run()
    assert not app.exception and len(app.warning) == 1
    assert app.session_state["reference"] == refused
    assert [each.value for each in app.text] == before
    app.text_input(key="reference").set_value("").run()
    assert not app.exception and not app.warning
    assert say("decoding.given.origin.runner_up") in [each.value for each in app.caption]


def test_a_reference_is_left_behind_with_its_sentence():
    app = open_app("decoding", s=TEXT, decoding="given", reference=TYPED)
    write(app, "The dog sees the cat.")
    assert app.session_state["reference"] == ""


def test_the_measured_number_is_told_only_where_there_is_one(monkeypatch):
    cost = searches.exposure()
    told = f"{100 * cost['difference']:.1f}"
    app = open_app("decoding", s=TEXT, decoding="given")
    assert any(told in each.value.replace("\\", "") for each in app.caption)
    monkeypatch.setattr(searches, "exposure", lambda: None)
    app = open_app("decoding", s=TEXT, decoding="given")
    assert not any(told in each.value.replace("\\", "") for each in app.caption)
    assert any("exposure bias" in each.value for each in app.caption)
