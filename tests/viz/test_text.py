"""Every word on screen exists, in every language, and is used."""

import ast
import fnmatch
from string import Formatter

import pytest

from tests.helpers.paths import ROOT
from viz.text import LANGUAGES, TEXT, language_name, translate

SOURCES = [ROOT / "app.py", *sorted((ROOT / "viz").rglob("*.py"))]


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def patterns(tree: ast.AST) -> set[str]:
    """Every string in this code, with `*` for what an f-string fills in."""
    if isinstance(tree, ast.JoinedStr):
        fixed = (part.value if isinstance(part, ast.Constant) else "*" for part in tree.values)
        filled = (part for part in tree.values if not isinstance(part, ast.Constant))
        return {"".join(fixed)}.union(*map(patterns, filled))
    if isinstance(tree, ast.Constant) and isinstance(tree.value, str):
        return {tree.value}
    return set().union(*map(patterns, ast.iter_child_nodes(tree)))


@pytest.mark.parametrize("key", TEXT)
def test_every_key_has_every_language_and_nothing_else(key):
    assert set(TEXT[key]) == set(LANGUAGES)
    assert all(sentence.strip() == sentence != "" for sentence in TEXT[key].values())


@pytest.mark.parametrize("key", TEXT)
def test_every_language_fills_in_the_same_values(key):
    english, *others = (placeholders(TEXT[key][language]) for language in LANGUAGES)
    assert all(other == english for other in others)


def test_every_sentence_is_used():
    asked = set.union(*(patterns(ast.parse(path.read_text("utf-8"))) for path in SOURCES))
    asked = {pattern for pattern in asked if pattern.strip("*.")}
    assert not [key for key in TEXT if not any(fnmatch.fnmatch(key, each) for each in asked)]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_every_sentence_asked_for_exists(path):
    for call in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(call, ast.Call) and getattr(call.func, "id", None) == "say":
            asked = patterns(call.args[0])
            assert all(fnmatch.filter(TEXT, pattern) for pattern in asked), asked


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_korean_stands_only_in_the_text_file(path):
    assert not any("가" <= letter <= "힣" for letter in path.read_text("utf-8"))


def test_a_missing_key_or_language_raises():
    with pytest.raises(KeyError):
        translate("en")("no.such.key")
    with pytest.raises(KeyError):
        translate("xx")


def test_a_language_without_a_name_is_called_by_its_code():
    say = translate("ko")
    assert language_name("en", say) == "영어"
    assert language_name("xx", say) == "xx"
