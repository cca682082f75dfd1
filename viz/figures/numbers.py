"""Numbers as readers see them: how many digits they have, and what a missing one looks like.

Every page writes its numbers with these functions, so that the same number looks the same everywhere.
"""

import math

MISSING = "–"
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def fixed(value: float | None, digits: int = 3) -> str:
    """Weights, probabilities and measures: always as many digits after the point.

    >>> fixed(0.41251), fixed(-0.0001), fixed(2.55, 1), fixed(None)
    ('0.413', '0.000', '2.5', '–')
    """
    if value is None or math.isnan(value):
        return MISSING
    written = f"{value:.{digits}f}"
    return written if float(written) else written.removeprefix("-")  # there is no zero below zero


def signed(value: float, digits: int = 2) -> str:
    """The same with a typographic minus, for numbers that stand alone in a drawing.

    >>> signed(-0.304), signed(0.304), signed(-0.001)
    ('−0.30', '0.30', '0.00')
    """
    return fixed(value, digits).replace("-", "−")


def rounded(value: float | None, digits: int = 3) -> str:
    """As many digits as are worth reading, wherever the point stands: ticks and tips.

    >>> rounded(0.123456), rounded(12345.678, 5), rounded(-0.0), rounded(None)
    ('0.123', '12346', '0', '–')
    """
    return MISSING if value is None else f"{value + 0.0:.{digits}g}"


def scientific(value: float) -> str:
    """Two digits and a power of ten, for differences that should be almost nothing.

    >>> scientific(3.04e-7), scientific(-2.04e-11), scientific(0.0)
    ('3.0 × 10⁻⁷', '-2.0 × 10⁻¹¹', '0')
    """
    if not value:
        return "0"
    digits, _, power = f"{value:.1e}".partition("e")
    return f"{digits} × {power_of_ten(int(power))}"


def compact(value: float) -> str:
    """Three digits where they tell the size; the very small and the very large as powers of ten.

    >>> compact(0.01953), compact(29.0), compact(2345.6), compact(2.2e-29), compact(0.0)
    ('0.0195', '29', '2346', '2.2 × 10⁻²⁹', '0')
    """
    if not math.isfinite(value) or value == 0 or 1e-3 <= abs(value) < 1e4:
        return rounded(value) if abs(value) < 1e3 else f"{value:.0f}"
    return scientific(value)


def roughly(factor: float) -> str:
    """A factor as one says it: two digits, and none after the point from 3 on.

    >>> roughly(153.186), roughly(4.26), roughly(1.44), roughly(2.0), roughly(12345.6)
    ('150', '4', '1.4', '2', '12,000')
    """
    value = float(f"{factor:.2g}")
    return f"{value:,.0f}" if value >= 3 or value == int(value) else f"{value:.1f}"


def power_of_ten(power: int) -> str:
    """
    >>> power_of_ten(-8), power_of_ten(2)
    ('10⁻⁸', '10²')
    """
    return "10" + str(power).translate(RAISED)


def in_formula(value: float) -> str:
    """Three digits after the point; very small and very large ones in powers of ten, as formulas take them.

    >>> in_formula(4.0), in_formula(0.41251), in_formula(0.0000123)
    ('4', '0.413', '1.23·10^-5')
    """
    if value == int(value) and abs(value) < 1000:
        return str(int(value))
    if value and not 0.0005 <= abs(value) < 100_000:
        digits, _, power = f"{value:.2e}".partition("e")
        return f"{digits}·10^{int(power)}"
    return f"{value:.3f}"


def count(number: int) -> str:
    """
    >>> count(1234567)
    '1,234,567'
    """
    return f"{number:,}"


def percent(share: float, digits: int = 1) -> str:
    """
    >>> percent(0.4132), percent(0.4132, 0)
    ('41.3%', '41%')
    """
    return f"{share:.{digits}%}"


def fraction(share: float) -> str:
    """A small share as one part of so many, in two digits: people read "1/150" and not 0.00653.

    >>> fraction(0.0523), fraction(1 / 153.2), fraction(2.2e-7), fraction(3e-13)
    ('1/19', '1/150', '1/4,500,000', '1/10¹²')
    """
    parts = 1 / share
    if parts >= 1e9:
        return f"1/{power_of_ten(math.floor(math.log10(parts)))}"
    return f"1/{float(f'{parts:.2g}'):,.0f}"


def brief(number: float) -> float:
    """A number for the browser: five digits are enough to read, and few to send.

    >>> brief(1 / 3), brief(-12345.678)
    (0.33333, -12346.0)
    """
    return float(f"{number:.5g}")
