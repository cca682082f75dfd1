"""Examples are what they say: the true position holds the word that the answer comes from."""

from datetime import date
from random import Random

import pytest

from model.training.toys.dates import MONTHS
from model.training.toys.grammar import ENGLISH, KOREAN
from model.training.toys.own import LONGEST, MOST, Refused, read_pairs
from model.training.toys.tasks import TASKS

MANY = 400


def examples(name: str):
    draw = Random("these")
    return [TASKS[name].draw(draw) for _ in range(MANY)] + [TASKS[name].shown]


@pytest.mark.parametrize("name", TASKS)
def test_the_word_at_the_true_position_decides_the_word_of_the_answer(name):
    meant: dict[tuple[str, int], str] = {}
    for example in examples(name):
        assert len(example.true) == len(example.target)
        for row, (place, word) in enumerate(zip(example.true, example.target, strict=True)):
            if place is not None:
                # The name of a month stands for two digits, and the row says which of them.
                part = row if example.source[place] in MONTHS else 0
                assert meant.setdefault((example.source[place], part), word) == word


@pytest.mark.parametrize("name", TASKS)
def test_both_sides_use_the_words_of_the_task_and_all_of_them(name):
    used = {word for example in examples(name) for word in (*example.source, *example.target)}
    assert used == {*TASKS[name].words}
    assert len({*TASKS[name].words}) == len(TASKS[name].words)


def test_the_same_seed_draws_the_same_examples_and_another_draws_others():
    task = TASKS["copy"]
    first, again, other = ([task.draw(draw) for _ in range(9)] for draw in (Random(1), Random(1), Random(2)))
    assert first == again != other


def test_the_verb_stands_last_in_korean_and_between_subject_and_object_in_english():
    for example in examples("grammar"):
        verb = example.true.index(len(example.source) - 1)
        assert 0 < verb < len(example.target) - 1
        subject, object_ = (
            next(place for place, word in enumerate(example.source) if word.endswith(f"들{particle}"))
            for particle in "이을"
        )
        assert example.true.index(subject) < verb < example.true.index(object_)
    assert not {*KOREAN} & {*ENGLISH}


def test_dates_are_dates_and_every_digit_that_was_written_is_read():
    for example in examples("dates"):
        date.fromisoformat("".join(example.target))
        digits = {place for place, word in enumerate(example.source) if word.isdigit()}
        assert digits <= {*example.true}


def test_a_list_of_ones_own_is_split_into_words_or_letters():
    typed = "안녕 = good day\n\n고마워\tthank you\n"
    assert read_pairs(typed, "words").shown.target == ("good", "day")  # the first of the longest
    assert read_pairs(typed, "letters").shown.source == ("고", "마", "워")
    assert {*read_pairs(typed, "words").shown.true} == {None}


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "few"),
        ("a = b", "few"),
        ("a = b\na = b", "few"),
        ("a = b\nc", "sides"),
        ("a = b\nc = ", "sides"),
        ("a = b\nc = d = e", "sides"),
        ("a = b\n" + "x " * (LONGEST + 1) + "= y", "long"),
        ("a = b\na = c\nd = e", "twice"),
        ("\n".join(f"a{n} = b" for n in range(MOST + 1)), "many"),
    ],
)
def test_a_list_that_cannot_be_learnt_is_refused_with_a_reason(typed, why):
    with pytest.raises(Refused) as refused:
        read_pairs(typed, "words")
    assert refused.value.why == why
