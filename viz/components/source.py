"""Our scripts and style sheets as the browser gets them: one text for each view, with all that it imports.

They stand in `browser/` as ordinary modules. Only `constants.js` is not a file: it is made here from the
palette, so that the screen and the paper are drawn with the same numbers.

They are sent inside a message (see library.py), not served as files. Streamlit 1.67 can serve a folder that a
manifest names (`component("headlight.heatmap", js="heatmap.js")`), and we tried it. It looks for manifests
only among installed distributions, only in a package with the name of the distribution, and only while a
server runs. A checkout that is not installed fails with StreamlitAPIException, and so does every import of
a view in a test, a benchmark or a notebook, installed or not.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from viz.components.payload import FORBIDDEN, SCALE
from viz.figures import drawing_svg, lines, palette, scales, svg

BROWSER = Path(__file__).parent / "browser"
CONSTANTS = {
    "SCALE": SCALE,
    "FORBIDDEN": FORBIDDEN,
    "LESS": palette.LESS,
    "MORE": palette.MORE,
    "HUES": {name: theme.heads for name, theme in palette.THEMES.items()},
    "SERIES": {name: theme.series for name, theme in palette.THEMES.items()},
    "FAMILIES": {name: theme.families for name, theme in palette.THEMES.items()},
    "NAMED": palette.NAMED,
    "OPACITY": palette.OPACITY,
    "STROKE": palette.STROKE,
    "DASH": palette.DASH,
    "FAINTEST_LINE": palette.FAINTEST_LINE,
    "LEAST": lines.LEAST,
    "THINNEST": lines.THINNEST,
    "LEVELS": scales.LEVELS,
    "DECADES": scales.DECADES,
    "LETTER": svg.LETTER,
    "BOLD": svg.BOLD,
    "ARROW": drawing_svg.ARROW,
    "FLOW": drawing_svg.FLOW,
}
VARIABLES = {
    **{f"--{name}": str(value) for name, value in palette.OPACITY.items()},
    **{f"--{name}-of": f"{value:.0%}" for name, value in palette.OPACITY.items()},  # as color-mix takes it
    **{f"--{name}-stroke": f"{value}px" for name, value in palette.STROKE.items()},
    "--less": palette.LESS,
    "--shadow": palette.SHADOW,
}
IMPORT = re.compile(r'^import (?:\{([^}]*)\}|\w+) from "([^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?!default)", re.MULTILINE)
DEFAULT = re.compile(r"^export default \w+;\n", re.MULTILINE)
REMARK = re.compile(r"^\s*//.*\n| // .*$", re.MULTILINE)  # a string of ours has no " // " in it
INCLUDE = re.compile(r'^@import "([^"]+)";\n', re.MULTILINE)


class Bundle:
    """Modules in the order in which they need each other, and the constants that they ask for."""

    def __init__(self, without: "Bundle | None" = None) -> None:
        self.without = without  # what stands around it already
        self.parts: dict[Path, str] = {}
        self.constants: set[str] = set()

    def add(self, path: Path) -> None:
        """A module of `browser/` after those that it imports; each once."""
        if path in self.parts or (self.without and path in self.without.parts):
            return
        text = path.read_text("utf-8")
        for names, origin in IMPORT.findall(text):
            if origin.endswith("constants.js"):
                self.constants.update(each.strip() for each in names.split(",") if each.strip())
            else:
                self.add((path.parent / origin).resolve())
        self.parts[path] = REMARK.sub("", EXPORT.sub("", IMPORT.sub("", text)))

    def text(self, root: Path | None = None) -> str:
        """All in one; only `root` keeps its default export."""
        around = self.without.constants if self.without else set()
        made = [f"const {each} = {json.dumps(CONSTANTS[each])};" for each in sorted(self.constants - around)]
        made += [text if path == root else DEFAULT.sub("", text) for path, text in self.parts.items()]
        return "\n".join(line.strip() for text in made for line in text.splitlines() if line.strip()) + "\n"


def script(name: str | Path) -> str:
    """A module of `browser/`, after those that it imports; each stands in the text once."""
    bundle, root = Bundle(), (BROWSER / name).resolve()
    bundle.add(root)
    return bundle.text(root)


def library(views: Mapping[str, str]) -> str:
    """Several views as one script, each in a scope of its own; the window knows them by their names.

    What all of them share stands around them, once.
    """
    shared, scopes = Bundle(), []
    for path in sorted((BROWSER / "shared").glob("*.js")):
        shared.add(path.resolve())
    for name, origin in views.items():
        bundle, root = Bundle(shared), (BROWSER / origin).resolve()
        bundle.add(root)
        known = re.sub(
            r"^export default (\w+);$", rf"views.{name} = \1;", bundle.text(root), flags=re.MULTILINE
        )
        scopes.append(f"{{\n{known}}}\n")
    ready = 'globalThis.headlightViews = views;\ndocument.dispatchEvent(new Event("headlight-views"));\n'
    return shared.text() + "const views = {};\n" + "".join(scopes) + ready + "export default () => {};\n"


def style(name: str) -> str:
    """A style sheet of `browser/` with those that it imports."""
    sheet = _included(BROWSER / name)
    return tight(variables(sheet, ":host") + sheet)


def variables(sheet: str, host: str) -> str:
    """The rule that gives a style sheet the palette's numbers: those that it asks for."""
    used = [f"{name}: {value};" for name, value in VARIABLES.items() if f"var({name})" in sheet]
    return f"{host} {{ {' '.join(used)} }}\n"


def tight(sheet: str) -> str:
    """A style sheet without comments and spaces that say nothing; a rule a line.

    >>> tight("a b {\\n  color: red; /* why */\\n}\\n\\ni {\\n  top: 0;\\n}\\n")
    'a b{color:red;}\\ni{top:0;}\\n'
    """
    sheet = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    sheet = re.sub(r"\s*([{};])\s*|(?<=[a-z]): ", lambda found: found[1] or ":", sheet)
    return re.sub(r"\s+", " ", sheet).replace("}", "}\n")


def _included(path: Path) -> str:
    text = path.read_text("utf-8")
    return INCLUDE.sub(lambda found: _included((path.parent / found[1]).resolve()), text)
