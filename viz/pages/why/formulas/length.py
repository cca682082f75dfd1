"""What the decoder gets to know of a sentence: one vector, or another mixture at every step."""


def contexts(width: int, words: tuple[str, str]) -> str:
    """Two lines in LaTeX, with their names: for the network with one vector, and for the one that looks."""
    half = width // 2
    fixed = (
        rf"c=[\,\overrightarrow{{h}}_{{n}}\,;\,\overleftarrow{{h}}_{{1}}\,]\in\mathbb{{R}}^{{{half}+{half}}}"
    )
    looks = (
        r"c_t=\sum_{i=1}^{n}\alpha_{ti}\,h_i,\quad "
        r"\alpha_t=\operatorname{softmax}_i\bigl(v^{\top}\tanh(W s_{t-1}+U h_i)\bigr)"
    )
    # A telephone has room for half a line.
    lines = [rf"&\text{{{word}:}}\\ &{line}" for word, line in zip(words, (fixed, looks), strict=True)]
    return r"\begin{aligned}" + r"\\ ".join(lines) + r"\end{aligned}"
