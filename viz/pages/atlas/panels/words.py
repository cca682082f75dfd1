"""Which place of the translation is asked about, and which two words: boxes, and what a link says."""

from typing import NamedTuple

import streamlit as st

from model import Trace
from model.network.config import END
from viz.figures.labels import readable
from viz.pages.atlas import Atlas
from viz.pages.atlas.numbers import asking
from viz.pages.atlas.numbers.asking import Question, Word
from viz.state import runs
from viz.state.language import say
from viz.state.session import chosen
from viz.text import verbatim
from viz.widgets.controls import choose_place

SIDES = ("right", "wrong")


class Filled(NamedTuple):
    """What the boxes were last filled with, and the question that this belongs to."""

    asked: tuple[str, int, int, int]  # sentence, place, and the first piece of either word
    words: tuple[Word, Word]
    language: str
    model: str


def choose_question(trace: Trace) -> Question:
    """The last question that could be asked: a box that cannot be read leaves it as it was."""
    filled = _filled(trace, *_asked(trace))
    _, place, _, _ = filled.asked
    tokenizer, written = runs.translator().tokenizer, trace.target.predicted_ids
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="ask_words"):
        choose_place(
            "place", say("ask.place"), [readable(each, say) for each in trace.target.predicted], place
        )
        typed = [st.text_input(say(f"ask.{side}"), key=f"ask_{side}") for side in SIDES]
    right, wrong = filled.words
    try:
        read = _read(typed, filled.words, asking.is_inside(tokenizer, written[place]))
    except ValueError as problem:
        st.warning(verbatim(str(problem)))
    else:
        right, wrong = read
    asked = st.session_state.shown, place, right[0], wrong[0]
    _remember(filled._replace(asked=asked, words=(right, wrong)))
    if len(right) > 1 or len(wrong) > 1:
        pieces = (readable(each, say) for each in tokenizer.choices((right[0], wrong[0])))
        st.caption(verbatim(say("ask.pieces", **dict(zip(SIDES, pieces, strict=True)))))
    return Question(st.session_state.shown, trace.source.ids, written[:place], right, wrong)


def _asked(trace: Trace) -> tuple[int, int, int]:
    """Place and pieces as they were chosen; what belongs to another sentence or place is forgotten."""
    here, shown = chosen(Atlas), st.session_state.shown
    place, right, wrong = here.place, here.right_piece, here.wrong_piece
    last = _last()
    if last and (shown, place) != last.asked[:2] and (right, wrong) == last.asked[2:]:
        place = None if place == last.asked[1] else place
        right = wrong = None
        _carry("", "")
    written, vocabulary = trace.target.predicted_ids, runs.translator().config.vocabulary
    if place is None or place >= len(written):
        place = asking.opening(trace, runs.translator().tokenizer)
    right = right if right is not None and asking.askable(right, vocabulary) else written[place]
    if wrong is None or wrong == right or not asking.askable(wrong, vocabulary):
        wrong = asking.runner_up(trace, place, right)
    return place, right, wrong


def _filled(trace: Trace, place: int, right: int, wrong: int) -> Filled:
    """What stands in the boxes; they are filled anew once something else is asked."""
    asked, language = (st.session_state.shown, place, right, wrong), st.session_state.language
    last = _last()
    if last and last.asked == asked:
        filled = last._replace(language=language)
    else:
        before = trace.target.predicted_ids[:place]
        one, other = (
            _carried(side, piece) or asking.complete(runs.translator(), trace.source.ids, before, piece)
            for side, piece in zip(SIDES, (right, wrong), strict=True)
        )
        filled = Filled(asked, (one, other), language, runs.checkpoint())
    for side, word in zip(SIDES, filled.words, strict=True):
        if filled != last or f"ask_{side}" not in st.session_state:
            st.session_state[f"ask_{side}"] = _text(word)
    return filled


def _read(typed: list[str], words: tuple[Word, Word], inside: bool) -> tuple[Word, Word]:
    """The words that the boxes hold; ValueError says in one sentence why they cannot be asked about."""
    tokenizer = runs.translator().tokenizer
    try:
        right, wrong = (
            word if text == _text(word) else (END,) if text == say("piece.end")
            else asking.spell(tokenizer, text, inside)
            for text, word in zip(typed, words, strict=True)
        )  # fmt: skip
    except ValueError:
        raise ValueError(say("ask.blank")) from None
    if right[0] == wrong[0]:
        raise ValueError(say("ask.same", piece=readable(tokenizer.choices(right[:1])[0], say)))
    return right, wrong


def _last() -> Filled | None:
    """What was asked last, of this model: to another, the same numbers are other words."""
    last: Filled | None = st.session_state.get("ask_filled")
    return last if last and last.model == runs.checkpoint() else None


def _remember(filled: Filled) -> None:
    st.session_state["ask_filled"] = filled
    _, place, right, wrong = filled.asked
    for name, value in (("place", place), ("right_piece", right), ("wrong_piece", wrong)):
        st.session_state[name] = value
    _carry(*("" if END in word else _text(word) for word in filled.words))


def _carry(right: str, wrong: str) -> None:
    """For the link: of the words, their first pieces alone decide, but these are what was typed."""
    st.session_state["right_word"], st.session_state["wrong_word"] = right, wrong


def _carried(side: str, piece: int) -> Word | None:
    """The word that a link has, if it begins with this piece."""
    tokenizer, text = runs.translator().tokenizer, st.session_state[f"{side}_word"]
    for inside in (False, True):
        try:
            word = asking.spell(tokenizer, text, inside)
        except ValueError:
            return None
        if word[0] == piece:
            return word
    return None


def _text(word: Word) -> str:
    return asking.text_of(runs.translator().tokenizer, word, say)
