"""Formulas about positions with their numbers filled in, as LaTeX."""

import numpy as np

from viz.figures.numbers import fixed


def dot_product(table: np.ndarray, first: int, second: int) -> str:
    """The first terms of PE(p) · PE(q), and the sum of all."""
    pairs = list(zip(table[first], table[second], strict=True))
    terms = " + ".join(f"({fixed(a)})({fixed(b)})" for a, b in pairs[:2])
    total = float(table[first].astype(float) @ table[second].astype(float))
    return (
        rf"\small \begin{{aligned}} & PE_{{{first}}} \cdot PE_{{{second}}} = {fixed(total, 4)} \\ "
        rf"&= {terms} + \cdots \end{{aligned}}"
    )


def wavelength(pair: int, width: int, base: int, length: float) -> str:
    return rf"2\pi \cdot {base}^{{{2 * pair}/{width}}} = {fixed(length, 2)}"


def turned(matrix: np.ndarray, before: np.ndarray, after: np.ndarray) -> str:
    """A rotation times a (sine, cosine) pair is the pair further on."""
    rows = r" \\ ".join(" & ".join(fixed(each) for each in row) for row in matrix)
    columns = (r" \\ ".join(map(fixed, pair)) for pair in (before, after))
    from_, to = (rf"\begin{{pmatrix}} {column} \end{{pmatrix}}" for column in columns)
    return rf"\begin{{pmatrix}} {rows} \end{{pmatrix}} {from_} = {to}"
