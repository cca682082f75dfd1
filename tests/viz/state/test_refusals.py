"""What is wrong with a file is said in the language of the visitor; the shell has the model's own words."""

import pickle
import re
import string

import pytest

from model.probe.contrasts import parse_phenomenon
from model.text.refused import REASONS, Place, Refused
from model.text.tokenizer import TextTooLong
from viz.state import refusals
from viz.text import LANGUAGES, TEXT, translate


@pytest.fixture
def korean(monkeypatch):
    monkeypatch.setattr(refusals, "say", translate("ko"))


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("why", REASONS)
def test_every_reason_has_words_that_need_no_more_than_it_knows(why):
    known = fields(REASONS[why]) | ({"number"} if why == "blank" else set())
    for language in LANGUAGES:
        assert fields(TEXT[f"refused.{why}"][language]) <= known


def test_a_bad_row_is_refused_in_korean_by_its_line(korean):
    with pytest.raises(Refused) as caught:
        parse_phenomenon("asked", b"It sleeps.\t\tElle dort.", "asked.tsv")
    assert str(caught.value) == "asked.tsv, line 1: the right translation is blank"
    assert refusals.reason(caught.value) == "asked.tsv 1번째 줄: 2번째 열이 비어 있어요"


def test_a_reason_inside_a_row_is_translated_too(korean):
    inner = Refused("same_pieces")
    told = refusals.reason(Refused("in_row", Place("mine", 3, "row"), reason=inner))
    assert told == "mine 3번째 행: 맞는 번역과 틀린 번역의 토큰이 같아요"
    assert not re.search("[A-Za-z]{3}", refusals.reason(TextTooLong(900, 512)))


def test_it_crosses_from_one_process_to_another():
    error = Refused("roots", Place("bank.conllu", 4), found=2)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.place, again.values) == (str(error), error.place, error.values)
