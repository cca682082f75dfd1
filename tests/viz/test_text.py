"""Every word on screen exists, in every language, and is used."""

import ast
import fnmatch
import re
from collections.abc import Iterable
from string import Formatter

import pytest

from tests.helpers.app import PAGES
from tests.helpers.paths import ROOT
from viz.pages import load
from viz.state.selection import Selection
from viz.text import LANGUAGES, TEXT, language_name, translate

SOURCES = [ROOT / "app.py", *sorted((ROOT / "viz").rglob("*.py"))]


# Here the name that is filled in has dots of its own: a measure, a role, a relation, a module's path.
DOTTED = ("all_heads.rows.*", "export.*", "atlas.measure.*", "role.*", "relation.*", "where.*")


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


def test_every_key_has_every_language_and_nothing_else():
    for key, sentences in TEXT.items():
        assert set(sentences) == set(LANGUAGES), key
        assert all(sentence.strip() == sentence != "" for sentence in sentences.values()), key


def test_every_language_fills_in_the_same_values():
    for key, sentences in TEXT.items():
        english, *others = (placeholders(sentences[language]) for language in LANGUAGES)
        assert all(other == english for other in others), key


def declared() -> set[str]:
    """Keys that widgets make of what pages declare: a field's label and options, a page's names."""
    keys = {f"{page}.{name}" for page in PAGES for name in ("short", "title")}
    for choices in (Selection, *(page.choices for page in load(*PAGES).values())):
        for field in choices.names():
            keys |= {f"{field}.label", *(f"{field}.{option}" for option in choices.options(field))}
    return keys


def unused(keys: Iterable[str]) -> list[str]:
    """Keys that no code asks for: a `*` stands for one part of a key, and the first part must be known."""
    asked = set.union(*(patterns(ast.parse(path.read_text("utf-8"))) for path in SOURCES))
    rules = "|".join(
        pattern.replace(".", r"\.").replace("*", ".+" if pattern in DOTTED else "[^.]+")
        for pattern in asked
        if re.fullmatch(r"\w+\.[\w.*-]+", pattern)
    )
    return [key for key in keys if key not in declared() and not re.fullmatch(rules, key)]


def test_every_sentence_is_used():
    assert not unused(TEXT)


@pytest.mark.parametrize("key", ["app.tagline", "nothing.label", "old.title", "kind.nobody.asks.this"])
def test_a_sentence_that_nobody_asks_for_is_found(key):
    assert unused([key]) == [key]


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
