"""Contrasts as files: what is read, what is refused and where, and what ships."""

import unicodedata
from collections import Counter

import pytest

from model.probe.contrasts import OWN, Contrast, as_line, parse_phenomenon, read_phenomenon, shipped

ROW = "It sleeps.\tIl dort.\tElle dort."


def parse(text: str):
    return parse_phenomenon("asked", text.encode(), "asked.tsv")


@pytest.fixture(scope="module")
def phenomena():
    return shipped("en", "fr")


def test_a_file_gives_rows_family_and_question():
    found = parse(
        f"\ufeff# family: tense\n# asks: when?\n\n{ROW}\r\nHe eats.\tIl mange.\tIl a mangé.\tHe ate.\n"
    )
    assert (found.name, found.family, found.asks) == ("asked", "tense", "when?")
    assert found.contrasts[0] == Contrast("It sleeps.", "Il dort.", "Elle dort.")
    assert found.contrasts[1].partner == "He ate."
    assert parse(ROW).family == OWN


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "asked.tsv holds no row"),
        ("# only remarks\n", "asked.tsv holds no row"),
        (f"{ROW}\nIt sleeps.\tIl dort.", "line 2: 2 columns; a row has 3 to 5"),
        (f"{ROW}\tA\tB\tC", "line 1: 6 columns"),
        ("It sleeps.\t\tElle dort.", "line 1: the right translation is blank"),
        ("It sleeps.\tIl dort.\tIl  dort.", "line 1: the right and the wrong translation are the same"),
        (f"{ROW}\tIt sleeps.", "line 1: the partner is the sentence itself"),
        (f"{ROW}\n\n{ROW}", "line 3: this sentence has been asked already"),
    ],
)
def test_a_malformed_file_is_refused_by_line(text, complaint):
    with pytest.raises(ValueError, match=complaint):
        parse(text)


def test_what_is_not_utf8_is_refused_by_line():
    with pytest.raises(ValueError, match="asked.tsv, line 2: not UTF-8"):
        parse_phenomenon("asked", ROW.encode() + b"\n\xff", "asked.tsv")


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ValueError, match="cannot read .*gone.tsv"):
        read_phenomenon(tmp_path / "gone.tsv")


def test_a_row_survives_its_file():
    row = Contrast("It sleeps.", "Il dort.", "Elle dort.", "She sleeps.", "Elle dort bien.")
    assert parse(as_line(row)).contrasts == (row,)


def test_partners_belong_to_the_same_half_in_any_order():
    one = Contrast("A b.", "x", "y", "C d.")
    assert one.number == Contrast("C d.", "y", "x", "A b.").number != Contrast("A b.", "x", "y").number


def test_a_language_that_nobody_wrote_for_has_none():
    assert shipped("en", "ko") == []


def test_at_least_twenty_phenomena_of_sixty_rows_ship(phenomena):
    assert len(phenomena) >= 20
    for each in phenomena:
        assert len(each.contrasts) >= 60, each.name
        assert each.family != OWN and each.asks.endswith("?"), each.name


def test_no_answer_is_right_more_often_than_it_is_wrong(phenomena):
    """A head that always pushes one way must not look as if it decided."""
    for each in phenomena:
        rows = {row.sentence: row for row in each.contrasts}
        for row in each.contrasts:
            if row.partner is not None:
                assert rows[row.partner].partner == row.sentence, (each.name, row.sentence)
        halves = Counter(row.number % 2 for row in each.contrasts)
        assert min(halves.values()) >= 24, (each.name, halves)


def test_what_ships_is_clean(phenomena):
    for each in phenomena:
        for row in each.contrasts:
            for text in filter(None, row):
                assert text == unicodedata.normalize("NFC", " ".join(text.split())), (each.name, text)
                assert text[-1] in ".?!", (each.name, text)
