"""Dates as people write them, in three ways, and the one way of ISO 8601.

    May 3 , 1998    3 May 1998    1998 년 5 월 3 일    →    1998-05-03

Digits are single letters, names of months are one word.
"""

from datetime import date, timedelta
from random import Random

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
DIGITS = tuple("0123456789")
DATE_WORDS = (*DIGITS, *MONTHS, "년", "월", "일", ",", "-")
WAYS = ("month", "day", "korean")
FIRST, DAYS = date(1900, 1, 1), 54_787  # to the end of 2049
Part = tuple[str, str]  # what it is of: y, m, d or nothing; and the word


def draw_date(
    draw: Random, day: tuple[int, int, int] | None = None, way: str | None = None
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[int | None, ...]]:
    """A date written in one of the ways, the same in ISO, and the source position of each letter of that.

    A zero that only fills up comes from nowhere, and so do hyphens.
    """
    year, month, number = day or (FIRST + timedelta(draw.randrange(DAYS))).timetuple()[:3]
    source = _written(way or draw.choice(WAYS), str(year), month, str(number))
    places: dict[str, list[int]] = {"y": [], "m": [], "d": []}
    for place, (part, _) in enumerate(source):
        if part:
            places[part].append(place)
    named = source[places["m"][0]][1] in MONTHS
    true = (
        *places["y"], None, *(places["m"] * 2 if named else _filled(places["m"])), None, *_filled(places["d"])
    )  # fmt: skip
    return tuple(word for _, word in source), tuple(f"{year}-{month:02}-{number:02}"), true


def _written(way: str, year: str, month: int, day: str) -> list[Part]:
    y, d = [("y", digit) for digit in year], [("d", digit) for digit in day]
    if way == "korean":
        m = [("m", digit) for digit in str(month)]
        return [*y, ("", "년"), *m, ("", "월"), *d, ("", "일")]
    name = ("m", MONTHS[month - 1])
    return [name, *d, ("", ","), *y] if way == "month" else [*d, name, *y]


def _filled(places: list[int]) -> list[int | None]:
    return [*[None] * (2 - len(places)), *places]
