"""Ask your own: verdicts have the numbers of plain runs, bad input is said, rows survive their file."""

from dataclasses import replace

import numpy as np
import pytest

from model.inspect.variants import all_heads
from model.network.config import END
from model.probe.contrasts import Contrast, Phenomenon, parse_phenomenon
from tests.helpers.app import open_app, write
from tests.helpers.asked import plain_lead, usual_question
from viz.pages.atlas.numbers import asking
from viz.state.examples import EXAMPLES
from viz.state.session import EXAMPLE
from viz.text import translate, verbatim

SPLIT = "We watch the birds in the garden."  # its verb has two pieces
say = translate("en")


@pytest.fixture(scope="module")
def place(translator):
    return asking.opening(translator.trace(EXAMPLE), translator.tokenizer)


@pytest.fixture(scope="module")
def question(translator, place):
    return usual_question(translator, EXAMPLE, place)


@pytest.fixture(scope="module")
def inside(translator):
    """A question about a piece that goes on with a word."""
    written = translator.trace(SPLIT).target.predicted_ids
    place = next(n for n, piece in enumerate(written) if asking.is_inside(translator.tokenizer, piece))
    return usual_question(translator, SPLIT, place)


def test_every_head_takes_what_a_plain_run_without_it_lacks(translator, question):
    found, heads = asking.rank_heads(translator, question), all_heads(translator.config)
    lead = plain_lead(translator, question)
    np.testing.assert_allclose(found.lead, lead, atol=1e-4)
    for n in (found.order[0], found.order[1], found.order[-1]):
        without = plain_lead(translator, question, [heads[n].silenced])
        np.testing.assert_allclose(found.lost[n], lead - without, atol=1e-4)
    assert found.lost[found.order[0]] == found.lost.max()


def test_the_verdict_has_these_numbers(translator, question, place):
    app = open_app("atlas", chart="ask")
    found = asking.rank_heads(translator, question)
    best = all_heads(translator.config)[found.order[0]]
    lead = plain_lead(translator, question)
    lost = lead - plain_lead(translator, question, [best.silenced])
    told = app.markdown.values
    assert any(f"{best.layer + 1}·{best.head + 1}" in each for each in told)
    assert any(verbatim(f"{lead:.1f}") in each and verbatim(f"{lost:.1f}") in each for each in told)
    state = app.session_state
    assert (state["place"], state["right_piece"], state["wrong_piece"]) == (
        place, question.right[0], question.wrong[0],
    )  # fmt: skip


def test_what_the_model_itself_would_not_write_has_no_lead_to_lose(question, place):
    link = {"place": str(place), "right_piece": str(question.wrong[0]), "wrong_piece": str(question.right[0])}
    app = open_app("atlas", chart="ask", **link)
    assert any("there is nothing to take away" in each for each in app.markdown.values)


@pytest.mark.parametrize("typed", ["", "  ", "\u200b"])
def test_a_blank_box_is_said_and_leaves_everything_as_it_was(typed, question):
    app = open_app("atlas", chart="ask")
    before = app.markdown.values
    app.text_input(key="ask_wrong").set_value(typed).run()
    assert not app.exception
    assert [each.value for each in app.warning] == [verbatim(say("ask.blank"))]
    assert app.text_input(key="ask_wrong").value == typed
    assert app.markdown.values == before and app.session_state["wrong_piece"] == question.wrong[0]


def test_two_words_that_begin_alike_are_refused_until_they_differ(question, translator):
    app = open_app("atlas", chart="ask")
    right = app.text_input(key="ask_right").value
    app.text_input(key="ask_wrong").set_value(right).run()
    assert verbatim(say("ask.same", piece="")[:20]) in app.warning[0].value
    assert app.text_input(key="ask_wrong").value == right
    app.text_input(key="ask_wrong").set_value("nous").run()
    typed = asking.spell(translator.tokenizer, "nous", False)
    assert not app.warning and app.session_state["wrong_piece"] == typed[0]
    assert app.session_state["right_piece"] == question.right[0]


def test_another_sentence_or_place_is_asked_about_anew():
    app = open_app("atlas", chart="ask")
    app.text_input(key="ask_wrong").set_value("nous").run()
    typed = app.session_state["wrong_piece"]
    app.selectbox(key="place_place").set_value(0).run()
    assert not app.exception and app.session_state["place"] == 0
    assert app.session_state["wrong_piece"] != typed
    write(app, EXAMPLES["noun"])
    assert app.session_state["ask_filled"].asked[0] == EXAMPLES["noun"]
    assert app.text_input(key="ask_right").value != "nous" and not app.warning


@pytest.mark.parametrize("link", [{"place": "900"}, {"right_piece": "99999"}, {"wrong_piece": "0"}])
def test_a_link_that_asks_the_impossible_opens_on_the_usual_question(link, question, place):
    app = open_app("atlas", chart="ask", **link)
    state = app.session_state
    assert state["place"] == place
    assert (state["right_piece"], state["wrong_piece"]) == (question.right[0], question.wrong[0])


def test_a_word_is_spelled_as_it_stands_there(translator, inside):
    tokenizer = translator.tokenizer
    assert tokenizer.spelled(asking.spell(tokenizer, "la", False)) == ("▁la",)
    assert tokenizer.spelled(asking.spell(tokenizer, ".", False)) == (".",)
    assert not tokenizer.spelled(asking.spell(tokenizer, "la", True))[0].startswith("▁")
    for word in inside.words:
        assert asking.spell(tokenizer, tokenizer.decode(word), inside=True)[0] == word[0]


def test_a_kept_row_asks_the_same_after_its_file(translator, question):
    rows = tuple(
        asking.as_row(translator, usual_question(translator, text, at))
        for text in EXAMPLES.values()
        for at in [asking.opening(translator.trace(text), translator.tokenizer)]
    )
    own = Phenomenon("mine", rows, asks="which word?")
    assert parse_phenomenon("mine", asking.as_file(own).encode(), "mine.tsv") == own
    assert rows[0].right.endswith(translator.tokenizer.decode(question.right))


def test_where_a_sentence_ends_can_be_asked(translator):
    last = len(translator.trace(EXAMPLE).target.predicted_ids) - 1
    question = usual_question(translator, EXAMPLE, last)
    assert question.right == (END,)
    assert asking.text_of(translator.tokenizer, question.right, say) == say("piece.end")
    assert asking.as_row(translator, question).right == translator.translate(EXAMPLE).text


def test_a_row_that_would_ask_something_else_is_not_kept(translator, question):
    piece = translator.tokenizer.piece_id
    torn = replace(question, right=(piece("▁l"), piece("a")))  # written out, this is one piece
    for each in (torn, replace(question, sentence="# a remark")):
        with pytest.raises(ValueError):
            asking.as_row(translator, each)


def test_rows_are_kept_replaced_removed_and_cleared(question, translator):
    app = open_app("atlas", chart="ask")
    app.button(key="ask_keep").click().run()
    row = asking.as_row(translator, question)
    assert app.session_state["own_rows"].contrasts == (row,)
    app.text_input(key="ask_wrong").set_value("nous").run()
    app.button(key="ask_keep").click().run()
    (other,) = app.session_state["own_rows"].contrasts
    assert other != row and other.sentence == row.sentence
    write(app, EXAMPLES["noun"])
    app.button(key="ask_keep").click().run()
    app.text_input(key="own_name").set_value("which one?").run()
    assert app.session_state["own_rows"].name == "which_one"
    app.selectbox(key="own_row").set_value(0).run()
    app.button(key="own_remove").click().run()
    (left,) = app.session_state["own_rows"].contrasts
    assert left.sentence == EXAMPLES["noun"] and app.button(key="own_measure").disabled
    app.button(key="own_clear").click().run()
    assert not app.exception and not app.session_state["own_rows"].contrasts


def test_what_ships_keeps_its_names_to_itself(atlas):
    app = open_app("atlas", chart="ask")
    app.button(key="ask_keep").click().run()
    taken = next(iter(atlas["causal"]))
    app.text_input(key="own_name").set_value(taken).run()
    assert app.session_state["own_rows"].name == f"own_{taken}"


def test_a_sentence_too_long_for_hundreds_of_runs_gets_one_clear_sentence():
    app = open_app("atlas", chart="ask", s="the cat " * 90)
    assert [each.value for each in app.info] == [say("experiment.long")]


def test_a_file_of_rows_may_come_without_remarks():
    own = Phenomenon("mine", (Contrast("A dog.", "Un", "Une"),))
    assert parse_phenomenon("mine", asking.as_file(own).encode(), "mine.tsv") == own
