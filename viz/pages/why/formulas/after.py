"""How the paper counts what a training costs, in LaTeX."""

from viz.pages.why.numbers.after.results import SECONDS, TERA, TRAININGS, Training


def cost(sizes: dict[str, str]) -> str:
    """`sizes` are the trainings by their names, with what each is called."""
    rows = [rf"\text{{{words}:}}&\quad{_product(TRAININGS[name])}" for name, words in sizes.items()]
    return r"\begin{aligned}" + r"\\".join(rows) + r"\end{aligned}"


def _product(training: Training) -> str:
    """
    >>> _product(TRAININGS["base"])
    '12\\\\cdot3600\\\\,\\\\mathrm{s}\\\\cdot8\\\\cdot9.5\\\\cdot10^{12}\\\\,\\\\mathrm{s}^{-1}=3.3\\\\cdot10^{18}'
    """
    mantissa, _, power = f"{training.cost:.1e}".partition("e")
    cost = rf"{mantissa}\cdot10^{{{int(power)}}}"
    return (
        rf"{training.hours:g}\cdot{SECONDS}\,\mathrm{{s}}\cdot{training.devices}"
        rf"\cdot{training.speed / TERA:g}\cdot10^{{12}}\,\mathrm{{s}}^{{-1}}={cost}"
    )
