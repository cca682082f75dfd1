"""The softmax with a temperature, for one token of one step."""

from math import exp
from typing import NamedTuple

from viz.figures.numbers import in_formula

SYMBOLS = r"p_i=\frac{e^{z_i/T}}{\sum_{j\in K}e^{z_j/T}}"


class Filled(NamedTuple):
    """The numbers of one token: K are those that are still in the choice."""

    log_prob: float
    temperature: float
    after: float
    kept: int


def softmax(one: Filled) -> str:
    """With numbers, as far as they have digits: next to temperature 0 nothing is left of them."""
    above = exp(max(-700.0, one.log_prob / one.temperature))
    if above < 1e-99:
        return rf"\begin{{gathered}}{SYMBOLS}={_tex(one.after)}\\|K|={one.kept}\end{{gathered}}"
    below = above / one.after
    power = rf"e^{{{one.log_prob:.3f}/{one.temperature:g}}}"
    return (
        rf"\begin{{gathered}}{SYMBOLS}\\[4pt]=\frac{{{power}}}{{{_tex(below)}}}"
        rf"=\frac{{{_tex(above)}}}{{{_tex(below)}}}={_tex(one.after)}\\[4pt]|K|={one.kept}\end{{gathered}}"
    )


def _tex(value: float) -> str:
    digits, _, power = in_formula(value).partition("·10^")
    return rf"{digits}\cdot10^{{{power}}}" if power else digits
