"""A score of Transformer-XL in LaTeX, with the numbers of one cell."""

from viz.pages.why.numbers.memory import Cell


def formula(cell: Cell, head_width: int) -> str:
    """The four terms, and below them what they are for this query and this key; already divided by √d."""
    numbers = " ".join(f"{'-' if term < 0 else '+'} {abs(term):.2f}" for term in cell.terms)
    numbers = numbers.removeprefix("+ ")
    r = f"r_{{{cell.back}}}"
    sum_ = rf"q\cdot k + q\cdot {r} + u\cdot k + v\cdot {r}"
    return (
        rf"\begin{{aligned}} s &= \tfrac{{1}}{{\sqrt{{{head_width}}}}}\,\bigl({sum_}\bigr)\\ "
        rf"&= {numbers} = {cell.score:.2f}\end{{aligned}}"
    )
