"""English–French pairs in which another figure, date or time of day stands, so that digits are copied.

A corpus says "October 20th" and "2:30" over and over and hardly any other day. Here the one figure, date or
time that a pair names on both sides gives way to any other; French puts the day first and says "8 h 40".
"""

import re
from collections.abc import Callable, Sequence

import numpy as np

from model.training.data import Pair

Spelled = tuple[str, str]  # the same thing in English and in French
Draw = Callable[[Spelled, np.random.Generator], Spelled]

ENGLISH_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
FRENCH_MONTHS = (
    "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre",
    "novembre", "décembre",
)  # fmt: skip
YEARS = (1500, 2031)
# Alone: not part of "3.5", "1,000", "10:30", "20th" or "A4".
FIGURE = re.compile(r"(?<![\w.,:/-])\d{1,5}(?![\w:/%-]|[.,]\d)")
ENGLISH_DATE = re.compile(rf"\b({'|'.join(ENGLISH_MONTHS)}) (\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (\d{{4}}))?")
FRENCH_DATE = re.compile(rf"\b(\d{{1,2}}|1er) ({'|'.join(FRENCH_MONTHS)})\b(?: (\d{{4}}))?")
ENGLISH_TIME = re.compile(r"\b(\d{1,2}):(\d\d)\b")
FRENCH_TIME = re.compile(r"\b(\d{1,2}) ?[h:] ?(\d\d)\b")


def refigure_pairs(pairs: Sequence[Pair], count: int, rng: np.random.Generator) -> list[Pair]:
    """Each an old pair with another figure, date or time, as many of each; none if the corpus has none."""
    kinds = [
        (draw, rows)
        for find, draw in ((same_figure, _figure), (same_date, _date), (same_time, _time))
        if (rows := [(pair, found) for pair in pairs if re.search(r"\d", pair[0]) and (found := find(pair))])
    ]
    if not kinds:
        return []
    made = []
    for place in range(count):
        draw, rows = kinds[place % len(kinds)]
        pair, found = rows[rng.integers(len(rows))]
        english, french = (
            text.replace(old, new) for text, old, new in zip(pair, found, draw(found, rng), strict=True)
        )
        made.append((english, french))
    return made


def same_figure(pair: Pair) -> Spelled | None:
    """The one figure in digits that both sides have, if nothing else is written in digits.

    >>> same_figure(("The bag costs $30.", "Le sac coûte 30 dollars."))
    ('30', '30')
    >>> same_figure(("The bag costs $30.", "Le sac coûte 30,50 dollars."))
    """
    if any(len(re.findall(r"\d+", text)) != 1 for text in pair):
        return None
    english, french = (FIGURE.findall(text) for text in pair)
    return (english[0], french[0]) if english and english == french else None


def same_date(pair: Pair) -> Spelled | None:
    """The one date that both sides name.

    >>> same_date(("We met on May 1st, 2004.", "Nous nous sommes rencontrés le 1er mai 2004."))
    ('May 1st, 2004', '1er mai 2004')
    """
    found = _only(ENGLISH_DATE, FRENCH_DATE, pair)
    if not found:
        return None
    english, french = found
    named = ENGLISH_MONTHS.index(english[1]), english[2], english[3]
    if named != (FRENCH_MONTHS.index(french[2]), french[1].removesuffix("er"), french[3]):
        return None
    return english[0], french[0]


def same_time(pair: Pair) -> Spelled | None:
    """The one time of day that both sides name in digits.

    >>> same_time(("It starts at 8:40.", "Cela commence à 8 h 40."))
    ('8:40', '8 h 40')
    """
    found = _only(ENGLISH_TIME, FRENCH_TIME, pair)
    return (found[0][0], found[1][0]) if found and found[0].groups() == found[1].groups() else None


def _only(english: re.Pattern, french: re.Pattern, pair: Pair) -> tuple[re.Match, re.Match] | None:
    ours, theirs = list(english.finditer(pair[0])), list(french.finditer(pair[1]))
    return (ours[0], theirs[0]) if len(ours) == len(theirs) == 1 else None


def _figure(found: Spelled, rng: np.random.Generator) -> Spelled:
    """As many digits as there were; a year stays a year, and no 1: French would want the singular."""
    digits = len(found[0])
    lowest, highest = YEARS if digits == 4 else (max(2, 10 ** (digits - 1)), 10**digits)
    figure = str(rng.integers(lowest, highest))
    return figure, figure


def _date(found: Spelled, rng: np.random.Generator) -> Spelled:
    month, day = int(rng.integers(12)), int(rng.integers(1, 29))
    year = rng.integers(*YEARS) if re.search(r"\d{4}$", found[0]) else None
    ending = _ordinal(day) if re.search(r"\d(st|nd|rd|th)\b", found[0]) else ""
    english = f"{ENGLISH_MONTHS[month]} {day}{ending}"
    french = f"{'1er' if day == 1 else day} {FRENCH_MONTHS[month]}"
    return (english, french) if year is None else (f"{english}, {year}", f"{french} {year}")


def _time(found: Spelled, rng: np.random.Generator) -> Spelled:
    hour, minute = rng.integers(2, 13), rng.integers(60)
    return f"{hour}:{minute:02}", f"{hour} h {minute:02}"


def _ordinal(day: int) -> str:
    """
    >>> [_ordinal(day) for day in (1, 2, 3, 11, 22)]
    ['st', 'nd', 'rd', 'th', 'nd']
    """
    return "th" if 10 < day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
