"""The direction of imports: every room has a rank, and imports from rooms of lower rank or from itself.

Where a folder is named, all below it has the same rank. Rooms of one rank do not import each other.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

MODEL = [  # from the bottom; each imports only what stands before it
    ("model.processes", "model.progress"),
    ("model.network",),
    ("model.text",),
    ("model.checkpoint",),
    ("model.decoding", "model.marian"),
    ("model.inspect",),
    ("model.translator",),
    ("model",),  # what `from model import …` gives to others
    ("model.probe",),
    ("model.atlas", "model.training"),
    ("model.rivals", "model.language"),
    ("model.recipes",),
    ("model.commands",),
    ("model.__main__",),
]
VIZ = [
    ("viz.text", "viz.installed"),
    ("viz.figures",),
    ("viz.state",),
    ("viz.components",),
    ("viz.export",),
    ("viz.widgets",),
    ("viz.frame",),
    ("viz.pages",),
    ("viz.notebook",),
    ("app",),
    ("viz.serve",),
    ("viz.command",),
]
RANKS = {room: rank for rank, rooms in enumerate([*MODEL, *VIZ]) for room in rooms}
# Pure: arrays and words in, drawings out. They know no browser session.
PURE = ("figures", "numbers", "formulas")
OUTSIDE = {  # libraries that a room must not know
    "model": ("streamlit", "plotly"),
    "viz.figures": ("streamlit", "torch"),
}


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and dotted name of everything imported, also inside functions and for type checking only."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                raise ValueError(f"{path} imports relatively; say where from")
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def room_of(name: str) -> str | None:
    """The innermost room that a dotted name stands in.

    >>> room_of("model.text.tokenizer.Tokenizer"), room_of("numpy")
    ('model.text', None)
    """
    parts = name.split(".")
    names = (".".join(parts[:count]) for count in range(len(parts), 0, -1))
    return next((each for each in names if each in RANKS), None)


def wrong_imports(root: Path, files: list[Path]) -> list[str]:
    """One sentence for each import that points the wrong way."""
    return [
        f"{path.relative_to(root)}, line {line}: {problem}"
        for path in files
        for line, name in imports(path)
        if (problem := _problem(_dotted(root, path), name))
    ]


def _dotted(root: Path, path: Path) -> str:
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def _problem(here: str, name: str) -> str | None:
    room, other = room_of(here), room_of(name)
    if any(here.startswith(each) and name.split(".")[0] in banned for each, banned in OUTSIDE.items()):
        return f"{room} does not know {name.split('.')[0]}"
    pure = here.startswith("viz.pages.") and any(part in PURE for part in here.split(".")[3:4])
    if pure and (name.startswith("streamlit") or other in ("viz.components", "viz.widgets", "viz.frame")):
        return f"numbers and figures are pure: they do not know {name}"
    if other is None:
        return None
    if room == other == "viz.pages" and here.startswith("viz.pages.") and name.startswith("viz.pages."):
        if here.split(".")[2] != name.split(".")[2]:
            return f"page {here.split('.')[2]} imports page {name.split('.')[2]}"
        return None
    if room != other and RANKS[other] >= RANKS[room]:
        return f"{room} imports {name} of {other}, which stands above it"
    return None
