"""What a start costs: nobody waits for a library that the first page does not need."""

import subprocess
import sys

import pytest

from tests.helpers.paths import ROOT

# Streamlit itself imports a part of Plotly, for its theme; the figures are the other and slower part.
START = f"""
import sys

import streamlit
from streamlit.testing.v1 import AppTest

plotly = lambda: {{name for name in sys.modules if name.partition(".")[0] == "plotly"}}
before = plotly()
app = AppTest.from_file({str(ROOT / "app.py")!r}, default_timeout=120).run()
assert not app.exception and app.get("bidi_component"), "Look is not drawn"
print(*plotly() - before)
"""
NOTEBOOK = "import sys; from viz.figures.heatmap import attention_heatmap; print('plotly' in sys.modules)"


def printed(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.slow
def test_drawing_look_imports_nothing_of_plotly():
    assert printed(START) == ""


def test_the_figure_for_notebooks_is_there_where_it_always_was():
    assert printed(NOTEBOOK) == "True"
