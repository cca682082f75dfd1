"""The formulas of Layers in LaTeX, with this run's numbers where a panel has them."""

from model.network.config import Config
from viz.pages.layers.numbers import OneNorm

VOCABULARY = r"p=\mathrm{softmax}(x\,E^\top)"
GRADIENTS = r"\left\lVert\frac{\partial L}{\partial x}\right\rVert,\; L=-\sum_t\log p(y_t)"


def added(before: float, output: float, cosine: float) -> str:
    """How long the stream is, how long what a sublayer adds, and whether both point the same way."""
    return (
        rf"\begin{{gathered}}\lVert x\rVert={before:.2f}\quad"
        rf"\lVert f(x)\rVert={output:.2f}\\\cos(x,f(x))={cosine:.2f}\end{{gathered}}"
    )


def norm(one: OneNorm) -> str:
    """Layer norm of one number of a vector."""
    return (
        r"\begin{gathered}\gamma_1\frac{x_1-\mu}{\sigma}+\beta_1=\\"
        rf"{one.weight:.3f}\cdot\frac{{{one.x:.3f}{-one.mean:+.3f}}}{{{one.spread:.3f}}}{one.bias:+.3f}\\"
        rf"={one.result:.3f}\end{{gathered}}"
    )


def units(activation: str, width: int, hidden: int) -> str:
    return rf"\begin{{gathered}}{_widened(activation)}\,W_2+b_2\\{width}\to{hidden}\to{width}\end{{gathered}}"


def sublayer(part: str, config: Config) -> str:
    """What a box of the architecture computes."""
    if part == "feed_forward":
        return rf"{_widened(config.activation)}\,W_2+b_2"
    seen = "m" if part == "cross" else "x"
    scores = rf"\frac{{xW^Q({seen}W^K)^\top}}{{\sqrt{{{config.head_width}}}}}"
    return rf"\mathrm{{softmax}}\left({scores}\right){seen}W^V"


def _widened(activation: str) -> str:
    """Swish is x times its own sigmoid (Ramachandran et al. 2017)."""
    names = {"gelu": "GELU", "swish": "Swish"}
    return r"\max(0,\,xW_1+b_1)" if activation == "relu" else rf"\mathrm{{{names[activation]}}}(xW_1+b_1)"
