"""Every word on screen, in every language of the interface; the words themselves are in text.toml.

>>> translate("en")("look.title")
'Where does each word look?'
"""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

LANGUAGES = ("en", "ko")
TEXT: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("text.toml").read_text("utf-8"))

Say = Callable[..., str]


def translate(language: str) -> Say:
    """Give `say`, which turns a key and its values into a sentence of `language`.

    A missing key raises KeyError: an unfinished translation must not reach the screen.
    """
    if language not in LANGUAGES:
        raise KeyError(f"no language {language!r}; there are {', '.join(LANGUAGES)}")

    def say(key: str, **values: object) -> str:
        return TEXT[key][language].format(**values)

    return say


def verbatim(text: str) -> str:
    """What somebody typed, for labels that read Markdown: every sign that could mean something is escaped.

    >>> verbatim("*a* $x$")
    '\\\\*a\\\\* \\\\$x\\\\$'
    """
    return re.sub(r"([\\`*_{}\[\]()<>#+\-.!|$:~&])", r"\\\1", text)


def plain(text: str) -> str:
    """Without the marks of what stands out on a screen: files hold plain text.

    >>> plain("The **largest** of all")
    'The largest of all'
    """
    return re.sub(r"\*\*(.+?)\*\*", r"\1", text)


def language_name(code: str, say: Say) -> str:
    """What a checkpoint's language is called; its code where we have no word for it."""
    key = f"name.{code}"
    return say(key) if key in TEXT else code
