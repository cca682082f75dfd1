"""Run the story and write it as notebooks: `python -m notebooks.make`.

The runner is a few lines of our own, so that tests need no Jupyter: a cell's last expression displays itself.
Committed outputs are small: drawings, tables and words. The pages that answer come when somebody runs a cell.
"""

import ast
import contextlib
import io
import json
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from viz.text import LANGUAGES

HERE = Path(__file__).parent
Cell = dict[str, str]  # {"text": …} or {"code": …}
Output = dict[str, Any]


def cells(language: str) -> list[Cell]:
    """The story in one language."""
    made = []
    for cell in tomllib.loads((HERE / "story.toml").read_text("utf-8"))["cell"]:
        if "code" in cell:
            code = cell["code"].strip()
            made.append({"code": code.replace("{language}", language)})
        else:
            made.append({"text": cell[language].strip()})
    return made


def run(story: Sequence[Cell]) -> list[list[Output]]:
    """What each cell puts out, from top to bottom in one set of names; texts put out nothing."""
    names: dict[str, Any] = {"__name__": "__main__"}
    return [_put_out(cell["code"], names) if "code" in cell else [] for cell in story]


def _put_out(code: str, names: dict[str, Any]) -> list[Output]:
    tree, printed, last = ast.parse(code), io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        ending = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "<cell>", "exec"), names)
        if ending is not None:
            last = eval(compile(ast.Expression(ending.value), "<cell>", "eval"), names)
    found: list[Output] = []
    if said := printed.getvalue():
        found.append({"output_type": "stream", "name": "stdout", "text": said})
    if last is not None:
        found.append({"output_type": "execute_result", "data": bundle(last), "metadata": {}})
    return found


def bundle(value: Any) -> dict[str, str]:
    """What Jupyter would show of a value, by MIME type."""
    if hasattr(value, "_repr_mimebundle_"):
        return value._repr_mimebundle_()
    tables = {"text/html": value._repr_html_()} if hasattr(value, "_repr_html_") else {}
    return {"text/plain": repr(value), **tables}


def small(outputs: Sequence[Output]) -> list[Output]:
    """Without pages where a drawing says the same."""
    made = []
    for output in outputs:
        data = output.get("data", {})
        if "image/svg+xml" in data:
            data = {kind: value for kind, value in data.items() if kind != "text/html"}
            output = {**output, "data": data}
        made.append(output)
    return made


def notebook(story: Sequence[Cell], outputs: Sequence[Sequence[Output]]) -> dict[str, Any]:
    """As a .ipynb file has it (format 4.5)."""
    made, count = [], 0
    for number, (cell, found) in enumerate(zip(story, outputs, strict=True), 1):
        about = {"id": f"cell-{number:02}", "metadata": {}}
        if "code" not in cell:
            made.append({**about, "cell_type": "markdown", "source": cell["text"]})
            continue
        count += 1
        numbered = [
            {**output, "execution_count": count} if output["output_type"] == "execute_result" else output
            for output in small(found)
        ]
        more = {"source": cell["code"], "execution_count": count, "outputs": numbered}
        made.append({**about, "cell_type": "code", **more})
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return {"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def path(language: str) -> Path:
    return HERE / f"attention.{language}.ipynb"


if __name__ == "__main__":
    for language in LANGUAGES:
        story = cells(language)
        text = json.dumps(notebook(story, run(story)), ensure_ascii=False, indent=1)
        path(language).write_text(text + "\n", "utf-8")
        print(path(language).name, f"{len(text.encode()) / 1000:.0f} KB")
