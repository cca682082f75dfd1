"""The formulas of one step in LaTeX, with the numbers of one weight in them."""

from model.training.one_step import BETAS
from model.training.one_step.adam import WARMUP, First
from model.training.one_step.difference import Difference


def slope(gradient: float, found: Difference) -> str:
    """Autograd's number above, and below it what moving the weight to both sides gives."""
    return (
        r"\begin{aligned}"
        rf"g=\frac{{\partial L}}{{\partial w}}&={_tex(gradient, 6)}\\[4pt]"
        rf"L_+=L(w+h)&={found.above:.9f}\\L_-=L(w-h)&={found.below:.9f}\\[4pt]"
        rf"\frac{{L_+-L_-}}{{2h}}&={_tex(found.slope, 6)}\end{{aligned}}"
    )


def adam(first: First) -> str:
    """Every number of the first step."""
    (kept, kept_square), g = BETAS, _tex(first.gradient)
    left, left_square = f"{1 - kept:.1f}", f"{1 - kept_square:.2f}"
    return (
        r"\begin{aligned}"
        rf"m&={kept}\cdot 0+{left}\,g={_tex(first.mean)}\\"
        rf"v&={kept_square}\cdot 0+{left_square}\,g^2={_tex(first.square)}\\"
        rf"\hat m&=\frac{{m}}{{1-{kept}^1}}={_tex(first.corrected_mean)}\\[2pt]"
        rf"\hat v&=\frac{{v}}{{1-{kept_square}^1}}={_tex(first.corrected_square)}\\[4pt]"
        rf"\Delta w&=-\eta\,\frac{{\hat m}}{{\sqrt{{\hat v}}+\epsilon}}\\[4pt]"
        rf"&=-{_tex(first.rate)}\cdot\frac{{{g}}}{{{_tex(first.corrected_square**0.5)}}}={_tex(first.step)}"
        r"\end{aligned}"
    )


def schedule(step: int, width: int, rate: float) -> str:
    """The paper's equation 3."""
    return (
        rf"\begin{{aligned}}\eta&=d_\mathrm{{model}}^{{-0.5}}\min(s^{{-0.5}},\,s\cdot {WARMUP}^{{-1.5}})\\"
        rf"&={width}^{{-0.5}}\cdot{_tex(rate * width**0.5)}={_tex(rate)}\quad(s={step})\end{{aligned}}"
    )


def _tex(value: float, digits: int = 3) -> str:
    """So many digits, wherever they begin; very small numbers as powers of ten.

    >>> _tex(-0.0000123), _tex(0.25), _tex(-0.0000123456, 6), _tex(0.0)
    ('-1.23\\\\cdot10^{-5}', '0.25', '-1.23456\\\\cdot10^{-5}', '0')
    """
    if not value or abs(value) >= 0.01:
        return f"{value:.{digits}g}"
    mantissa, _, power = f"{value:.{digits - 1}e}".partition("e")
    return rf"{mantissa}\cdot10^{{{int(power)}}}"
