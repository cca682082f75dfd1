"""The page that leaves the app: it holds the numbers, and nothing that was typed can do anything in it."""

import base64
import hashlib
import re
from html.parser import HTMLParser

from tests.helpers.pictures import HOSTILE, say, some, unpacked
from viz.export import standalone
from viz.state.picture import Picture


def exported(picture: Picture, **options: object) -> str:
    words = {"title": "T", "sentence": "S", "translation": "U", "explanation": "E"}
    return standalone.page(picture, say, **{**words, "layer": 0, **options})


class Reader(HTMLParser):
    """The elements of a page with their attributes, and the text of scripts and table cells."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements, self.scripts, self.cells, self.words = [], [], [], []
        self.feed(page)

    def handle_starttag(self, name: str, attributes: list) -> None:
        self.elements.append((name, dict(attributes)))

    def handle_data(self, text: str) -> None:
        self.words.append(text)
        if self.lasttag == "script" and text.strip():
            self.scripts.append(text)
        if self.lasttag == "td" and text.strip():
            self.cells.append(text)


def typed(words: str) -> Reader:
    """A saved page with these words wherever a visitor's may stand."""
    picture = some(6, 6)
    labels = (words, *picture.queries[1:])
    picture = Picture(**{**vars(picture), "queries": labels, "keys": labels})
    places = ("title", "sentence", "translation", "explanation")
    return Reader(exported(picture, **dict.fromkeys(places, words)))


def test_nothing_typed_becomes_markup_in_the_saved_page():
    usual, hostile = typed("x" * len(HOSTILE)), typed(HOSTILE)
    assert [name for name, _ in hostile.elements] == [name for name, _ in usual.elements]
    assert [given.keys() for _, given in hostile.elements] == [given.keys() for _, given in usual.elements]
    payload, script = hostile.scripts
    assert re.fullmatch(r"[A-Za-z0-9+/=]+", payload) and script == standalone.PAGE_SCRIPT
    assert "alert(1)" in "".join(hostile.words)  # shown as typed


def test_only_the_page_s_own_script_may_run_and_nothing_is_fetched():
    reader = Reader(exported(some(6, 6)))
    policy = next(given["content"] for name, given in reader.elements if given.get("http-equiv"))
    digest = base64.b64encode(hashlib.sha256(reader.scripts[1].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy and "default-src 'none'" in policy
    assert not [given for _, given in reader.elements if {"src", "href"} & given.keys()]
    assert "</script" not in standalone.PAGE_SCRIPT and "<!--" not in standalone.PAGE_SCRIPT


def test_the_saved_page_holds_the_numbers_and_stays_small():
    picture = some(16, 14, (0, 2), causal=True)
    page = exported(picture)
    assert Reader(page).cells == [f"{weight:.3f}" for weight in picture.combined[picture.mask]]
    assert len(page.encode()) < 64_000
    assert len(exported(some(40, 40)).encode()) < 128_000
    header, _ = unpacked(base64.b64decode(Reader(page).scripts[0]))
    assert header["queries"] == list(picture.queries)
