"""Figures, dates and times of day: both sides of a made pair name the same one."""

import re

import numpy as np
import pytest

from model.recipes.refiguring import refigure_pairs, same_date, same_figure, same_time

PAIRS = [
    ("The bag costs $30.", "Le sac coûte 30 dollars."),
    ("Her exam is on June 3rd.", "Son examen est le 3 juin."),
    ("The shop opens at 8:40.", "La boutique ouvre à 8 h 40."),
]
OTHERS = [
    ("The bag costs $30.", "Le sac coûte trente dollars."),
    ("I need 3.5 litres.", "Il me faut 3,5 litres."),
    ("Her exam is on June 3rd.", "Son examen est le 3 mai."),
    ("The shop opens at 2:40 p.m.", "La boutique ouvre à 14 h 40."),
    ("It is late.", "Il est tard."),
]


@pytest.fixture
def made():
    return refigure_pairs(PAIRS + OTHERS, 90, np.random.default_rng(0))


def test_figures_dates_and_times_come_equally_often_and_name_the_same_on_both_sides(made):
    counts = [sum(bool(find(pair)) for pair in made) for find in (same_figure, same_date, same_time)]
    assert counts == [30, 30, 30]


def test_nothing_but_the_digits_and_months_changes(made):
    months = r"[A-Z]?[a-zéû]+(?= ?\d)|(?<=\d )[a-zéû]+"
    frames = {
        re.sub(r"\W+", " ", re.sub(rf"\d+(er|st|nd|rd|th)?|{months}", "", english)) for english, _ in made
    }
    assert len(frames) == 3 and len(set(made)) > 60


def test_french_writes_the_day_first_and_the_hour_with_h(made):
    dates, times = ([pair for pair in made if find(pair)] for find in (same_date, same_time))
    assert all(re.search(r" le (1er|\d+) [a-zéû]+\.$", french) for _, french in dates)
    assert all(re.search(r" à \d+ h \d\d\.$", french) for _, french in times)


def test_a_corpus_without_figures_gives_nothing():
    assert refigure_pairs(OTHERS, 5, np.random.default_rng(0)) == []
