"""Formulas about positions with their numbers filled in, as LaTeX."""

import numpy as np


def dot_product(table: np.ndarray, first: int, second: int) -> str:
    """The first terms of PE(p) · PE(q), and the sum of all."""
    pairs = list(zip(table[first], table[second], strict=True))
    terms = " + ".join(f"({a:.3f})({b:.3f})" for a, b in pairs[:2])
    total = float(table[first].astype(float) @ table[second].astype(float))
    return (
        rf"\small \begin{{aligned}} & PE_{{{first}}} \cdot PE_{{{second}}} = {total:.4f} \\ "
        rf"&= {terms} + \cdots \end{{aligned}}"
    )


def wavelength(pair: int, width: int, base: int, length: float) -> str:
    return rf"2\pi \cdot {base}^{{{2 * pair}/{width}}} = {length:.2f}"


def turned(matrix: np.ndarray, before: np.ndarray, after: np.ndarray) -> str:
    """A rotation times a (sine, cosine) pair is the pair further on."""
    rows = r" \\ ".join(" & ".join(_number(each) for each in row) for row in matrix)
    columns = (r" \\ ".join(map(_number, pair)) for pair in (before, after))
    from_, to = (rf"\begin{{pmatrix}} {column} \end{{pmatrix}}" for column in columns)
    return rf"\begin{{pmatrix}} {rows} \end{{pmatrix}} {from_} = {to}"


def _number(value: float) -> str:
    return f"{value + 0.0:.3f}".replace("-0.000", "0.000")
