"""Decoding, step by step: what is drawn is what the model said, and whoever chooses goes on from there."""

import numpy as np
import pytest

from model import load
from tests.helpers.app import choose, open_app, speak, write
from viz.pages.decoding.figures import steps as figures
from viz.pages.decoding.numbers.steps import likeliest, looks
from viz.state.decodings import _last_in_a_row, path_of
from viz.text import LANGUAGES, translate

TEXT, OTHER = "The old man reads a book.", "She gave her brother the keys because he was late."
say = translate("en")


@pytest.fixture(scope="module")
def translator():
    return load("en-fr")


def test_the_offered_tokens_and_all_others_share_all_probability(translator):
    written = translator.translate(TEXT)
    for row, id in zip(translator.distributions(TEXT, written.ids), written.ids, strict=True):
        found = likeliest(row, id)
        assert found.ids[found.written] == id and found.rank == 1
        assert sum(found.probabilities) + found.rest == pytest.approx(1, abs=1e-6)
        assert found.others + len(found.ids) == np.isfinite(row).sum()
        assert list(found.probabilities) == sorted(found.probabilities, reverse=True)


def test_a_written_token_is_offered_however_unlikely():
    found = likeliest(np.log(np.array([0.4, 0.3, 0.2, 0.06, 0.04])), written=4, count=3)
    assert found.ids == (0, 1, 4) and found.written == 2 and found.rank == 5


def test_every_head_has_its_row(translator):
    trace = translator.trace(TEXT)
    found = looks(trace.attention["decoder"], 3, 4)
    layers, heads = trace.attention["decoder"].shape[:2]
    assert found.shape == (layers * heads, 4)
    np.testing.assert_allclose(found.sum(-1), 1, atol=1e-5)  # the future is invisible: four keys have it all
    np.testing.assert_array_equal(found[heads + 2], trace.attention["decoder"][1, 2, 3, :4])


def test_what_is_not_written_yet_is_not_told():
    drawn = figures.strip(("Le", "chat", "dort"), (0.9, 0.5, 0.7), 1, (), say)
    words = [mark["text"] for mark in drawn.marks if mark["shape"] == "text"]
    assert words == ["Le", "chat"]
    assert not any("dort" in str(mark) for mark in (*drawn.marks, *drawn.narrow.marks))
    assert [mark["pick"] for mark in drawn.marks if "pick" in mark] == [0, 1, 2]


def test_all_others_together_cannot_be_chosen():
    found = likeliest(np.log(np.full(50, 0.02)), written=0)
    drawn = figures.next_tokens(found, [str(id) for id in found.ids], say)
    assert [mark["pick"] for mark in drawn.marks if "pick" in mark] == list(found.ids)


def test_the_whole_row_of_a_token_answers_however_thin_its_bar():
    found = likeliest(np.log(np.array([0.9, 0.0995, 0.0005])), written=0)
    drawn = figures.next_tokens(found, ["a", "b", "c"], say)
    rows = [mark for mark in drawn.marks if "pick" in mark]
    assert all(row["wide"] == drawn.wide and row["high"] > 20 for row in rows)
    assert [mark["text"] for mark in drawn.marks if "%" in mark.get("text", "")] == [
        "90.0%",
        "10.0%",
        "0.05%",
    ]


def test_of_a_long_translation_the_lines_around_the_step_are_drawn():
    count, at = 200, 120
    drawn = figures.strip(["chien"] * count, [0.5] * count, at, (), say)
    for sheet in (drawn, drawn.narrow):
        picks = [mark["pick"] for mark in sheet.marks if "pick" in mark]
        assert at in picks and picks == list(range(picks[0], picks[-1] + 1))
        assert sheet.high <= figures.LINES * figures.LINE + 20
        told = say("decoding.memory.part", first=picks[0] + 1, last=picks[-1] + 1, count=count)
        assert told in [mark.get("text") for mark in sheet.marks]


def test_a_strip_has_no_more_lines_than_there_is_room_for():
    drawn = figures.strip(["chien"] * 200, [0.5] * 200, 120, (), say, 1)
    assert len({mark["y"] for mark in drawn.marks if "pick" in mark}) == 1


def test_names_that_are_not_drawn_take_no_room():
    def block(keys: int) -> figures.Drawing:
        weights = np.full((4, keys), 1 / keys)
        return figures.heads_now(
            [figures.Looking("cross", weights, ["anticonstitution"] * keys, None)], 2, say
        )

    assert block(100).high < block(10).high - 50


def test_choices_that_stand_in_a_row_are_one_choice():
    assert _last_in_a_row(((0, 9),)) == ((), (0, (9,)))
    assert _last_in_a_row(((0, 9), (1, 8), (3, 7))) == (((0, 9), (1, 8)), (3, (7,)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_forced_token_is_followed_from_a_link(translator, language):
    plain = translator.translate(TEXT)
    rival = plain.alternatives[1].ids[1]
    expected = translator.translate(TEXT, prefix=(plain.ids[0], rival))
    app = open_app("decoding", s=TEXT, lang=language, at="1", forced=f"1.{rival}")
    assert path_of(TEXT, ((1, rival),)).ids == expected.ids
    token = translate(language)("decoding.steps.take_back")
    assert token in [button.label for button in app.button]
    assert not app.info


def test_taking_back_gives_the_models_own_translation(translator):
    rival = translator.translate(TEXT).alternatives[1].ids[1]
    app = open_app("decoding", s=TEXT, at="1", forced=f"1.{rival}")
    app.button(key="take_back").click().run()
    assert app.session_state["forced"] == [] and app.session_state["at"] == 1
    assert not app.exception


def test_of_two_neighbouring_choices_only_the_last_is_taken_back(translator):
    (first, second), (begun, *rest) = translator.tokenizer.ids(["il elle", "chocolatine"])
    app = open_app("decoding", s=TEXT, at="2", forced=f"1.{first},2.{second}")
    app.button(key="take_back").click().run()
    assert app.session_state["forced"] == [(1, first)] and app.session_state["at"] == 2
    app = open_app(
        "decoding",
        s=TEXT,
        at="2",
        forced=f"1.{begun}," + ",".join(f"{2 + n}.{id}" for n, id in enumerate(rest)),
    )
    app.button(key="take_back").click().run()
    assert app.session_state["forced"] == []  # a word is one choice, however many tokens it takes


def test_what_was_chosen_stays_with_its_sentence(translator):
    rival = translator.translate(TEXT).alternatives[1].ids[1]
    app = open_app("decoding", s=TEXT, at="1", forced=f"1.{rival}")
    write(app, OTHER)
    assert path_of(OTHER).ids == translator.translate(OTHER).ids
    assert app.session_state["forced"] == [] and app.session_state["at"] is None
    app.button(key="undo").click().run()
    assert app.session_state["sentence"] == TEXT
    assert app.session_state["forced"] == [(1, rival)] and app.session_state["at"] == 1


def test_whoever_goes_on_to_another_panel_or_sentence_stops_playing():
    app = open_app("decoding", s=TEXT, at="0")
    app.button(key="play").click().run()
    assert app.session_state["playing"]
    choose(app, decoding="choosing")
    assert not app.session_state["playing"]


@pytest.mark.parametrize("text", [TEXT, OTHER])
def test_it_opens_where_the_second_best_was_likeliest(translator, text):
    chances = np.sort(np.exp(translator.distributions(text, translator.translate(text).ids)))
    assert path_of(text).hesitant == chances[:, -2].argmax()


def test_a_word_of_ones_own_is_written_token_by_token(translator):
    app = open_app("decoding", s=TEXT, at="2")
    app.text_input(key="own_word").set_value("chocolatine").run()
    (ids,) = translator.tokenizer.ids(["chocolatine"])
    assert app.session_state["forced"] == [(2 + more, id) for more, id in enumerate(ids)]


@pytest.mark.parametrize("word", ["한국어", "😀", "<b>漢</b>"])
def test_a_word_that_cannot_be_spelled_is_refused_and_loses_nothing(word):
    app = open_app("decoding", s=TEXT, at="2")
    app.text_input(key="own_word").set_value(word).run()
    assert app.session_state["forced"] == [] and app.session_state["own_word"] == word
    (warning,) = app.warning
    assert say("decoding.steps.unspelled", word="").split("“")[0] in warning.value
    speak(app, "ko")
    assert translate("ko")("decoding.steps.unspelled", word="").split("”")[1][:12] in app.warning[0].value


@pytest.mark.parametrize("forced", ["0.0", "0.1", ",".join(f"{step}.500" for step in range(520))])
def test_what_the_model_cannot_write_is_not_forced(translator, forced):
    app = open_app("decoding", s=TEXT, at="0", forced=forced)
    cells = tuple(tuple(map(int, part.split("."))) for part in forced.split(","))
    assert path_of(TEXT, cells).ids == translator.translate(TEXT).ids
    assert not app.exception
    assert say("decoding.left_out") in [each.value for each in app.info]


def test_nonsense_in_a_link_falls_back_to_the_models_own():
    app = open_app("decoding", s=TEXT, at="99999", forced="3.999999,88.5")
    assert not app.exception
    assert app.session_state["at"] == 99999  # what was asked for stays; what is shown is the last step
