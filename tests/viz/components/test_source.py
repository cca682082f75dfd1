"""What travels to the browser: modules that name what they need, as one text, with the palette's numbers."""

import json
import re
from pathlib import Path

import pytest

from tests.helpers.paths import ROOT
from viz.components import head_view, heatmap, library, source

BROWSER = ROOT / "viz/components/browser"
MODULES = sorted([*BROWSER.rglob("*.js"), *(ROOT / "viz/export").glob("*.js")])
ROOTS = [path for path in MODULES if path.name == "view.js" or path.parent.name in ("browser", "export")]
DECLARED = re.compile(r"^(?:export )?(?:async )?(?:const|let|function|class) (\w+)", re.MULTILINE)
EXPORTED = re.compile(r"^export (?:default|const|function|class) (\w+)", re.MULTILINE)


def name(path: Path) -> str:
    return str(path.relative_to(ROOT / "viz"))


def imports(path: Path) -> dict[Path, set[str]]:
    """The names that a module takes from each other module; one alone is the other's default."""
    found = re.findall(
        r'^import (?:\{([^}]*)\}|(\w+)) from "([^"]+)";$', path.read_text("utf-8"), re.MULTILINE
    )
    return {
        (path.parent / origin).resolve(): {each.strip() for each in (names or default).split(",")} - {""}
        for names, default, origin in found
    }


def needed(path: Path) -> set[Path]:
    """A module and all that it imports."""
    others = (other for other in imports(path) if other.name != "constants.js")
    return {path}.union(*map(needed, others))


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_a_module_imports_what_another_offers_and_uses_it(path):
    body = source.IMPORT.sub("", path.read_text("utf-8"))
    for other, names in imports(path).items():
        offered = (
            source.CONSTANTS if other.name == "constants.js" else EXPORTED.findall(other.read_text("utf-8"))
        )
        assert names <= set(offered)
        assert all(re.search(rf"\b{each}\b", body) for each in names)
    constants = {
        each for each in source.CONSTANTS if re.search(rf"(?<![.\w]){each}\b", re.sub("//.*", "", body))
    }
    assert constants <= set().union(*imports(path).values(), DECLARED.findall(body))


@pytest.mark.parametrize("path", ROOTS, ids=name)
def test_a_script_is_one_text_in_which_no_name_is_declared_twice(path):
    text = source.script(path)
    assert (
        not re.search("^import |^export (?!default)", text, re.MULTILINE)
        and text.count("export default") <= 1
    )
    modules = [module.read_text("utf-8") for module in needed(path)]
    declared = [each for module in modules for each in DECLARED.findall(module)]
    assert sorted(declared) == sorted(set(declared))
    assert set(declared) <= set(DECLARED.findall(text))


def test_the_browser_gets_the_palette_s_numbers():
    text = source.script("drawing/view.js")
    for each in ("NAMED", "STROKE", "LESS", "HUES"):
        assert f"const {each} = {json.dumps(source.CONSTANTS[each])};" in text
    assert "OPACITY" not in text  # what nobody asks for stays at home
    assert source.style("drawing/view.css").startswith(":host{--hairline:0.15;")


def test_every_variable_of_a_style_sheet_is_given_by_somebody():
    given = {*source.VARIABLES, "--hue", "--heads"}
    sheets = [*BROWSER.rglob("*.css"), *(ROOT / "viz/frame").glob("*.css")]
    scripts = "".join(path.read_text("utf-8") for path in MODULES)
    for sheet in sheets:
        for asked in re.findall(r"var\((--[\w-]+)", sheet.read_text("utf-8")):
            known = asked in given or asked.startswith("--st-") or f'"{asked}"' in scripts
            assert known or re.search(rf"\b{asked[2:]}\b", scripts), f"{sheet.name}: {asked}"


def test_comments_stay_at_home_and_no_text_is_taken_for_one():
    for path in MODULES:
        lines = path.read_text("utf-8").splitlines()
        assert not [line for line in lines if re.search(r"[\"'`][^\"'`]* // [^\"'`]*[\"'`]", line)], path
    for path in ROOTS:
        assert "// " not in source.script(path)


def test_scripts_write_text_and_never_markup():
    for path in MODULES:
        assert not re.search(
            "innerHTML|outerHTML|insertAdjacent|document.write|eval", path.read_text("utf-8")
        )


def test_the_library_has_every_view_in_a_scope_of_its_own_and_what_they_share_once():
    text = source.library(library.VIEWS)
    for each in library.VIEWS:
        assert text.count(f"\nviews.{each} = ") == 1
    assert text.count("\nfunction lasting(") == text.count("\nclass HeatMap ") == 1
    assert len(re.findall("^{$", text, re.MULTILINE)) == len(library.VIEWS)
    assert text.count("export default") == 1 and not re.search("^import ", text, re.MULTILINE)
    shared = [path.read_text("utf-8") for path in (BROWSER / "shared").glob("*.js")]
    declared = [each for module in shared for each in DECLARED.findall(module)]
    assert sorted(declared) == sorted(set(declared))


def test_a_view_of_its_own_brings_only_the_code_that_waits():
    """Another head may take 60 KB in all; the code of what draws it travels once."""
    assert len(source.script("waiting.js")) < 800
    for each in (head_view, heatmap):
        assert len((each.STYLE + each.MARKUP).encode()) < 4_500
