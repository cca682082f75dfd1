"""Imports point one way: pages → session → (model, figures). And nothing unpickles."""

import ast
from pathlib import Path

import pytest

from tests.helpers.paths import ROOT

FORBIDDEN = {
    "model": ("streamlit", "plotly", "viz", "app"),
    "viz/figures": ("streamlit", "torch", "viz.state", "viz.pages", "app"),
    "viz/pages": ("app",),
}
FILES = [(path, folder) for folder in FORBIDDEN for path in sorted((ROOT / folder).rglob("*.py"))]


def imports(path: Path) -> list[str]:
    """The dotted name of everything imported, also inside functions."""
    names = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                raise ValueError(f"{path} imports relatively; say where from")
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return names


@pytest.mark.parametrize(("path", "folder"), FILES, ids=[str(path.relative_to(ROOT)) for path, _ in FILES])
def test_lower_layers_do_not_import_upper_ones(path, folder):
    for name in imports(path):
        for above in FORBIDDEN[folder]:
            assert name != above and not name.startswith(f"{above}."), f"{path} imports {name}"


def test_every_folder_has_files_to_check():
    assert {folder for _, folder in FILES} == set(FORBIDDEN)


@pytest.mark.parametrize(
    "path", sorted({path for path, _ in FILES}), ids=lambda path: str(path.relative_to(ROOT))
)
def test_no_pickle_is_ever_loaded(path):
    names = imports(path)
    assert not {"pickle", "shelve", "joblib", "dill"} & {name.split(".")[0] for name in names}
    for call in (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)):
        assert ast.unparse(call.func) != "torch.load"
        if ast.unparse(call.func) in ("np.load", "numpy.load"):
            assert "allow_pickle=False" in ast.unparse(call)
