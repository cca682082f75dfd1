"""The formulas of what a layer costs, in LaTeX, with this sentence's numbers in them."""

import re

from model.inspect.costs.layers import LAYERS, multiplications
from viz.pages.why.numbers.cost import Sizes, cost

SYMBOLS = {  # what the paper's table says of each kind of layer: multiplications, steps, path
    "attention": (r"n^2\cdot d", "1", "1"),
    "recurrent": (r"n\cdot d^2", "n", "n"),
    "convolutional": (r"k\cdot n\cdot d^2", "1", "n/k"),
    "dilated": (r"k\cdot n\cdot d^2", "1", r"\log_k n"),
    "restricted": (r"r\cdot n\cdot d", "1", "n/r"),
    "separable": (r"k\cdot n\cdot d+n\cdot d^2", "1", "n/k"),
}
COUNTED = {"attention": r"4nd^2+2n^2d", "recurrent": r"6nd^2", "convolutional": r"2knd^2"}
SCORES = r"\begin{aligned}a_{ij}&=v\cdot\tanh(q_i+k_j)\\ e_{ij}&=\frac{q_i\cdot k_j}{\sqrt{d_k}}\end{aligned}"
LETTER = re.compile(r"(?<![\\a-z])[ndkr](?![a-z])")  # one that stands for a number, and in no command


def order(row: str, column: int) -> str:
    """What stands in the table, for drawings.

    >>> order("convolutional", 0), order("dilated", 2)
    ('k·n·d²', 'logₖ n')
    """
    symbols = SYMBOLS[row][column].replace(r"\cdot ", "·").replace("^2", "²")
    return symbols.replace(r"\log_k", "logₖ").replace("+", " + ")


def filled(row: str, sizes: Sizes, words: tuple[str, ...]) -> str:
    """One row of the table with its numbers; `words` name its columns."""
    lines = [
        rf"&\text{{{word}:}}&&{_with_numbers(symbol, sizes, value)}"
        for word, symbol, value in zip(words, SYMBOLS[row], cost(row, sizes), strict=True)
    ]
    return r"\begin{aligned}" + r"\\ ".join(lines) + r"\end{aligned}"


def _with_numbers(symbol: str, sizes: Sizes, value: int) -> str:
    if symbol == "1":
        return symbol
    numbers = {"n": sizes.words, "d": sizes.width, "k": sizes.kernel, "r": sizes.near}
    put = LETTER.sub(lambda letter: str(numbers[letter[0]]), symbol)
    if symbol == "n":
        return rf"{symbol}={grouped(value)}"
    if "/" in symbol or "log" in symbol:
        put = rf"\lceil {put}\rceil"
    return rf"{symbol}={put}={grouped(value)}"


def counted(words: int, width: int, kernel: int, names: tuple[str, ...]) -> str:
    """What the three timed layers multiply, projections and gates included; `names` name them."""
    lines = [
        rf"&\text{{{name}:}}&&{COUNTED[each]}={grouped(multiplications(each, words, width, kernel))}"
        for each, name in zip(LAYERS, names, strict=True)
    ]
    return r"\begin{aligned}" + r"\\ ".join(lines) + r"\end{aligned}"


def grouped(number: int) -> str:
    """
    >>> grouped(1234567)
    '1{,}234{,}567'
    """
    return f"{number:,}".replace(",", "{,}")
