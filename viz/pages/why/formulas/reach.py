"""How many hops lie between two words, in LaTeX, with their numbers."""

from viz.pages.why.numbers.reach import LANES, Sizes, hops


def counted(distance: int, sizes: Sizes, names: dict[str, str]) -> str:
    """One line a kind of layer: the rule, and what it gives for this path."""
    k, b, r = sizes.kernel, sizes.dilation, sizes.window
    rules = {
        "recurrent": r"|i-j|",
        "convolutional": r"\left\lceil\tfrac{2\,|i-j|}{k-1}\right\rceil",
        "dilated": r"\min\bigl\{L:\textstyle\sum_{l<L}\tfrac{k-1}{2}\,b^{\,l}\ge|i-j|\bigr\}",
        "restricted": r"\left\lceil\tfrac{2\,|i-j|}{r-1}\right\rceil",
        "attention": "1" if distance else "0",
    }
    head = rf"|i-j|={distance},\quad k={k},\quad b={b},\quad r={r}"
    lines = [rf"&{head}"]
    for lane in LANES:
        found = "" if lane == "attention" else f"={len(hops(lane, distance, sizes))}"
        # A telephone has room for half a line.
        lines += [rf"&\text{{{names[lane]}:}}", rf"&\quad {rules[lane]}{found}"]
    return r"\begin{aligned}" + r"\\ ".join(lines) + r"\end{aligned}"
