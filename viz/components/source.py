"""Our scripts and style sheets as they travel: whole, but without comments and indentation.

Streamlit sends them again whenever the data of a view change, so every byte counts.
"""

from pathlib import Path

HERE = Path(__file__).parent


def script(*names: str) -> str:
    """Files one after the other; lines are kept, so that errors name them in the right order.

    A line that is only a comment goes. No string of ours runs over several lines.
    """
    lines = (line.strip() for name in names for line in (HERE / name).read_text("utf-8").splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//")) + "\n"


def style(name: str) -> str:
    lines = (line.strip() for line in (HERE / name).read_text("utf-8").splitlines())
    return "\n".join(line for line in lines if line and not (line.startswith("/*") and line.endswith("*/")))
