"""Our scripts and style sheets as they travel: whole, but without comments and indentation.

Streamlit sends them again whenever the data of a view change, so every byte counts.
"""

import re
from pathlib import Path

HERE = Path(__file__).parent
REMARK = re.compile(r" // [^\"'`]*$")
TEXTUAL = re.compile(r"[\"'`/]")
AROUND_SIGNS = re.compile(r" ?([=<>?:,;{}()\[\]&|*]) ?")  # not + and -: two of them must stay apart


def script(*names: str) -> str:
    """Files one after the other; lines are kept, so that errors name them in the right order.

    A line that is only a comment goes. No string of ours runs over several lines.
    """
    lines = (line.strip() for name in names for line in (HERE / name).read_text("utf-8").splitlines())
    return "\n".join(_tight(line) for line in lines if line and not line.startswith("//")) + "\n"


def style(name: str) -> str:
    return tight_style((HERE / name).read_text("utf-8"))


def tight_style(sheet: str) -> str:
    """A style sheet without comments, and without spaces that say nothing; a rule a line.

    >>> tight_style("a b {\\n  color: red; /* why */\\n}\\n")
    'a b{color:red;}'
    """
    sheet = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    lines = [line.strip() for line in sheet.splitlines()]
    joined = "".join(line if line.endswith((";", "{", "}", ",")) else f"{line} " for line in lines if line)
    return re.sub(r" ?([{;]) ?", r"\1", re.sub(r"(?<=[a-z-]): ", ":", joined)).replace("}", "}\n").strip()


def _tight(line: str) -> str:
    """A line of script without spaces around its signs; one with text or a slash in it stays as it is."""
    line = REMARK.sub("", line)
    return line if TEXTUAL.search(line) else AROUND_SIGNS.sub(r"\1", line)
