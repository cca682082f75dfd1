"""Imports point one way, files stay small enough to read, and nothing unpickles."""

import ast
import shutil
from pathlib import Path

import pytest

from tests.helpers.layout import RANKS, imports, wrong_imports
from tests.helpers.paths import ROOT

FILES = [
    ROOT / "app.py",
    *sorted((ROOT / "model").rglob("*.py")),
    *sorted((ROOT / "viz").rglob("*.py")),
]
TESTS = sorted((ROOT / "tests").rglob("*.py"))
SCRIPTS = [path for kind in ("js", "css") for path in sorted((ROOT / "viz").rglob(f"*.{kind}"))]
BENCHMARKS = sorted((ROOT / "benchmarks").rglob("*.py"))
MOST_LINES, MOST_IN_FUNCTION = 250, 50
REASON = "so long because"  # what the docstring of a longer file says


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_imports_point_one_way():
    assert not wrong_imports(ROOT, FILES)


def test_every_room_exists():
    for room in RANKS:
        path = ROOT / room.replace(".", "/")
        assert path.is_dir() or path.with_suffix(".py").exists(), room


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("model/network/attention.py", "from model.text.tokenizer import Tokens"),
        ("model/text/tokenizer.py", "from model.training.data import Pair"),
        ("model/inspect/trace.py", "from model.translator import Translator"),
        ("model/atlas/roles.py", "from model.training.settings import Settings"),
        ("model/training/data.py", "import model.recipes"),
        ("model/config_of_nobody.py", "import streamlit"),
        ("viz/figures/svg.py", "from viz.state import session"),
        ("viz/figures/svg.py", "import streamlit as st"),
        ("viz/state/session.py", "from viz.widgets import controls"),
        ("viz/widgets/controls.py", "from viz.pages.look import panels"),
        ("viz/pages/look/panels.py", "from viz.pages.atlas import Atlas"),
        ("viz/pages/layers/numbers.py", "import streamlit"),
        ("viz/pages/atlas/numbers/film.py", "def late():\n    from viz.widgets import heads"),
    ],
)
def test_an_import_that_points_the_wrong_way_is_found(tmp_path, path, line):
    planted = tmp_path / path
    planted.parent.mkdir(parents=True)
    if (ROOT / path).exists():
        shutil.copy(ROOT / path, planted)
    assert not planted.exists() or not wrong_imports(tmp_path, [planted])
    with planted.open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    assert len(wrong_imports(tmp_path, [planted])) == 1


def test_a_file_is_short_or_says_why_not():
    for path in (*FILES, *TESTS, *BENCHMARKS, *SCRIPTS):
        text = path.read_text("utf-8")
        assert len(text.splitlines()) <= MOST_LINES or REASON in text[:1500], name(path)


def test_a_function_fits_a_screen():
    for path in (*FILES, *TESTS, *BENCHMARKS):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                lines = node.end_lineno - node.lineno + 1
                assert lines <= MOST_IN_FUNCTION, f"{name(path)}: {node.name} has {lines} lines"


def test_tests_import_helpers_and_no_other_test():
    for path in TESTS:
        for _, imported in imports(path):
            assert not imported.startswith("tests.") or imported.startswith("tests.helpers"), name(path)


def test_no_pickle_is_ever_loaded():
    for path in FILES:
        names = {imported.split(".")[0] for _, imported in imports(path)}
        assert not {"pickle", "shelve", "joblib", "dill"} & names, name(path)
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(call, ast.Call):
                called = ast.unparse(call.func)
                assert called != "torch.load", name(path)
                if called in ("np.load", "numpy.load"):
                    assert "allow_pickle=False" in ast.unparse(call), name(path)
