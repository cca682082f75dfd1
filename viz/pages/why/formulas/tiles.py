"""What one tile does to the chosen row, and the division at its end, in LaTeX with this run's numbers."""

import math

from viz.pages.why.numbers.tiles import Line, Walk

SHOWN = 3  # numbers of a vector


def formula(walk: Walk) -> str:
    lines = walk.lines
    return _division(walk) if walk.tile is None else _tile(lines[walk.at])


def _tile(line: Line) -> str:
    if math.isinf(line.most):
        return r"m=-\infty,\quad\ell=0,\quad O=0"
    m = _number(line.most)
    rows = [rf"m&=\max({_number(line.before)},\;{_number(line.largest)})={m}"]
    if math.isinf(line.before):
        rows.append(rf"\ell&=\sum_j e^{{s_j-m}}={_number(line.total)}")
        rows.append(r"O&=\sum_j e^{s_j-m}\,v_j")
    else:
        power = rf"e^{{{_number(line.before)}-{_number(line.most, bracketed=True)}}}"
        left = _share(line.rescale)
        rows.append(rf"e^{{m_\mathrm{{old}}-m}}&={power}={left}")
        rows.append(rf"\ell&={left}\cdot{_number(line.had)}+{_number(line.added)}={_number(line.total)}")
        rows.append(rf"O&={left}\cdot O_\mathrm{{old}}+\sum_j e^{{s_j-m}}\,v_j")
    return r"\begin{aligned}" + r"\\".join(rows) + r"\end{aligned}"


def _division(walk: Walk) -> str:
    end = walk.lines[-1]
    above, below = (
        ",".join(_number(float(number)) for number in vector[:SHOWN]) for vector in (end.mixed, walk.output)
    )
    more = r",\ldots" if len(walk.output) > SHOWN else ""
    return rf"\frac{{O}}{{\ell}}=\frac{{({above}{more})}}{{{_number(end.total)}}}=({below}{more})"


def _number(value: float, bracketed: bool = False) -> str:
    """
    >>> _number(-1.5, bracketed=True), _number(float("-inf"))
    ('(-1.50)', '-\\\\infty')
    """
    written = r"-\infty" if math.isinf(value) else f"{value + 0.0:.2f}"
    return f"({written})" if bracketed and value < 0 else written


def _share(value: float) -> str:
    """
    >>> _share(0.4684), _share(0.00012)
    ('0.468', '1.2\\\\cdot10^{-4}')
    """
    if value >= 0.001:
        return f"{value:.3f}"
    mantissa, _, power = f"{value:.1e}".partition("e")
    return rf"{mantissa}\cdot10^{{{int(power)}}}"
