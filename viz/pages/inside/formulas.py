"""Each step of one weight as a formula with this cell's numbers in it: for the screen and for paper."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from viz.figures.numbers import in_formula as number
from viz.pages.inside.numbers import Cell

HIDDEN = "?"
FEW = 3  # terms of a long sum that are written out


class Formula(NamedTuple):
    latex: str
    plain: str  # the same on paper, where there is no typesetter
    answer: float | None  # the number that "guess first" asks for


def formula(step: str, cell: Cell, more: str, hidden: bool = False) -> Formula:
    """`more` is the word for terms left out, as "more"; the answer is "?" while it is hidden."""
    made = MAKERS[step](cell, more)
    if made.answer is None:
        return Formula(made.latex.replace("ANSWER", ""), made.plain.replace("ANSWER", ""), None)
    shown = HIDDEN if hidden else number(made.answer)
    return Formula(made.latex.replace("ANSWER", shown), made.plain.replace("ANSWER", shown), made.answer)


def _tex(value: float) -> str:
    written = number(value)
    if "·10^" in written:
        digits, _, power = written.partition("·10^")
        written = rf"{digits}\cdot10^{{{power}}}"
    return f"({written})" if value < 0 else written


def _plain(value: float) -> str:
    return f"({number(value)})" if value < 0 else number(value)


def _input(cell: Cell, more: str) -> Formula:
    first = ", ".join(number(value) for value in cell.stream[:FEW])
    width = len(cell.stream)
    return Formula(
        rf"x_i=({first},\ \ldots)\in\mathbb{{R}}^{{{width}}}", f"x = ({first}, …) ∈ ℝ^{width}", None
    )


def _project(cell: Cell, more: str) -> Formula:
    if cell.projected is None:
        return Formula(r"q=\mathrm{turn}(xW^Q+b^Q)", "q = turned(x W_Q + b_Q)", None)
    product, bias = cell.projected
    return Formula(
        rf"q_1=\sum_{{d=1}}^{{{len(cell.stream)}}}x_dW^Q_{{d1}}+b^Q_1={_tex(product)}+{_tex(bias)}=ANSWER",
        f"q₁ = x·W_Q + b = {_plain(product)} + {_plain(bias)} = ANSWER",
        float(cell.query[0]),
    )


def _product(cell: Cell, more: str) -> Formula:
    count = len(cell.terms)
    lines, plain = _few(cell.terms, cell.query, cell.key, more, numbered=True)
    return Formula(
        _lines(rf"q\cdot k&=\textstyle\sum_{{t=1}}^{{{count}}}q_tk_t", *lines, "=ANSWER"),
        f"q·k = {plain} = ANSWER",
        float(cell.terms.sum()),
    )


def _scale(cell: Cell, more: str) -> Formula:
    dot, width = float(cell.terms.sum()), len(cell.query)
    return Formula(
        rf"s=\frac{{q\cdot k}}{{\sqrt{{d_k}}}}=\frac{{{number(dot)}}}{{\sqrt{{{width}}}}}"
        rf"=\frac{{{number(dot)}}}{{{number(cell.root)}}}=ANSWER",
        f"s = q·k ÷ √{width} = {_plain(dot)} ÷ {number(cell.root)} = ANSWER",
        float(cell.scores[cell.column]),
    )


def _mask(cell: Cell, more: str) -> Formula:
    seen, keys = int(cell.mask.sum()), len(cell.mask)
    score = float(cell.scores[cell.column])
    if not cell.mask[cell.column]:
        result = rf"s+m={_tex(score)}+(-\infty)=-\infty"
        plain = f"s + m = {_plain(score)} + (−∞) = −∞"
    else:
        result = rf"s+m={_tex(score)}+0={number(score)}"
        plain = f"s + m = {_plain(score)} + 0 = {number(score)}"
    return Formula(
        rf"{result},\qquad \#\{{j:m_{{ij}}=0\}}=ANSWER\ /\ {keys}", f"{plain}; ANSWER / {keys}", float(seen)
    )


def _softmax(cell: Cell, more: str) -> Formula:
    score, power = float(cell.scores[cell.column]), float(cell.powers[cell.column])
    total = float(cell.powers.sum())
    above = rf"e^{{{number(score)}}}" if cell.mask[cell.column] else r"e^{-\infty}"
    return Formula(
        rf"\alpha=\frac{{e^{{s}}}}{{\sum_je^{{s_j}}}}=\frac{{{above}}}{{{_tex(total)}}}"
        rf"=\frac{{{_tex(power)}}}{{{_tex(total)}}}=ANSWER",
        f"α = e^s ÷ Σ e^s = {number(power)} ÷ {number(total)} = ANSWER",
        float(cell.weights[cell.column]),
    )


def _mix(cell: Cell, more: str) -> Formula:
    values = cell.values[:, 0]
    lines, plain = _few(cell.weights * values, cell.weights, values, more)
    return Formula(
        _lines(r"z_1&=\textstyle\sum_j\alpha_jv_{j1}", *lines, "=ANSWER"),
        f"z₁ = Σ α·v₁ = {plain} = ANSWER",
        float(cell.mixed[cell.head, 0]),
    )


def _output(cell: Cell, more: str) -> Formula:
    heads = [float(value) for value in cell.written[:, 0]]
    bias = float(cell.output_bias[0])
    named = [rf"\underbrace{{{_tex(value)}}}_{{{place + 1}}}" for place, value in enumerate(heads)]
    named.append(rf"\underbrace{{{_tex(bias)}}}_{{b}}")
    plain = " + ".join(map(_plain, heads))
    return Formula(
        _lines(
            rf"o_1&=\textstyle\sum_{{h=1}}^{{{len(heads)}}}(z^hW^O_h)_1+b_1",
            *_broken(named, 4),
            "=ANSWER",
        ),
        f"o₁ = {plain} + {_plain(bias)} = ANSWER",
        float(cell.output[0]),
    )


def _add(cell: Cell, more: str) -> Formula:
    x, o, gain, shift = (
        float(each[0]) for each in (cell.stream, cell.output, cell.norm_weight, cell.norm_bias)
    )
    return Formula(
        _lines(
            r"y_1&=\gamma_1\frac{(x_1+o_1)-\mu}{\sigma}+\beta_1",
            rf"={_tex(gain)}\cdot\frac{{({_tex(x)}+{_tex(o)})-{_tex(cell.mean)}}}{{{number(cell.spread)}}}"
            rf"+{_tex(shift)}",
            "=ANSWER",
        ),
        f"y₁ = γ((x+o) − μ) ÷ σ + β = {_plain(gain)}·(({_plain(x)} + {_plain(o)}) − {_plain(cell.mean)}) ÷ "
        f"{number(cell.spread)} + {_plain(shift)} = ANSWER",
        float(cell.after[0]),
    )


MAKERS = {
    "input": _input, "project": _project, "product": _product, "scale": _scale, "mask": _mask,
    "softmax": _softmax, "mix": _mix, "output": _output, "add": _add,
}  # fmt: skip


def _few(
    terms: np.ndarray, first: np.ndarray, second: np.ndarray, more: str, numbered: bool = False
) -> tuple[list[str], str]:
    """A long sum of products: its largest terms written out, the rest as one number; typeset and plain."""
    places, rest = _largest(terms)
    products = [rf"{_tex(first[place])}\cdot{_tex(second[place])}" for place in places]
    if numbered:
        products = [
            rf"\underbrace{{{each}}}_{{{place + 1}}}" for each, place in zip(products, places, strict=True)
        ]
    lines = _broken(products)
    plain = " + ".join(f"{_plain(first[place])}·{_plain(second[place])}" for place in places)
    if left := len(terms) - len(places):
        lines[-1] += rf"+\underbrace{{{_tex(rest)}}}_{{{left}\text{{ {more}}}}}"
        plain += f" + {_plain(rest)} [{left} {more}]"
    return lines, plain


def _broken(terms: Sequence[str], each: int = 2) -> list[str]:
    """A long sum in lines that fit a telephone."""
    groups = ["+".join(terms[place : place + each]) for place in range(0, len(terms), each)]
    return ["=" + groups[0], *(r"\quad+" + group for group in groups[1:])]


def _lines(first: str, *others: str) -> str:
    """Several lines, the others set in to the equals sign; the last joins the line before it."""
    *middle, last = others
    lines = [first, *(rf"&{line}" for line in middle)]
    lines[-1] += last
    return r"\begin{aligned}" + r"\\".join(lines) + r"\end{aligned}"


def _largest(terms: np.ndarray) -> tuple[Sequence[int], float]:
    """The places of the few largest terms, in their order, and the sum of the rest."""
    places = sorted(np.argsort(-abs(terms), kind="stable")[:FEW].tolist())
    return places, float(terms.sum() - terms[places].sum())
