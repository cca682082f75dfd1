"""Links that earlier versions wrote go on working: one or more for each page and panel of 0.1.0."""

import json
from urllib.parse import parse_qsl, urlencode

import pytest

from tests.helpers.app import open_app
from viz.text import translate

say = translate("en")
REFUSED = say("link.refused", names="…").split("…")[0]
TEXT = "My brother lost his watch in the garden."
EDITS = '[{"edit": "scale", "where": "encoder.layers.0.self_attention", "head": 3, "factor": 0.0}]'
HEAD = "kind=cross&layer=1&head=2"
# The page's link as 0.1.0 wrote it, and what must be chosen once it is open.
LINKS = [
    ("look", f"{HEAD}&row=3&units=words&reading=read&special=hidden&colour=root",
     {"kind": "cross", "layer": 1, "head": [2], "row": 3, "units": "words", "reading": "read",
      "special": "hidden", "colour": "root"}),
    ("look", "kind=encoder&layer=0&head=1,4&weighting=norm&combine=max",
     {"head": [1, 4], "weighting": "norm", "combine": "max"}),
    ("look", f"{HEAD}&compare=head:2.5", {"compare": "head", "other_layer": 2, "other_head": 5}),
    ("look", f"{HEAD}&compare=sentence:We watch the birds.",
     {"compare": "sentence", "other_text": "We watch the birds."}),
    ("look", f"{HEAD}&compare=untrained", {"compare": "untrained"}),
    ("look", "kind=encoder&layer=1&head=2&compare=batch:Good morning.",
     {"compare": "batch", "other_text": "Good morning."}),
    ("look", f"{HEAD}&present=on", {"present": "on"}),
    ("all_heads", f"{HEAD}&measure=entropy&colour=log", {"measure": "entropy", "colour": "log"}),
    *(("inside", f"{HEAD}&row=2&column=1&step={step}&guess={guess}&key_width=64",
       {"row": 2, "column": 1, "step": step, "guess": guess, "key_width": 64})
      for step, guess in [("input", "off"), ("project", "on"), ("product", "off"), ("scale", "on"),
                          ("mask", "off"), ("softmax", "on"), ("mix", "off"), ("output", "on"),
                          ("add", "off"), ("why", "off"), ("rows", "off")]),
    ("positions", "order=table&wave_width=32&base=100&places=32&first=3&second=7",
     {"positions": "table", "wave_width": 32, "base": 100, "places": 32, "first": 3, "second": 7}),
    ("positions", "order=waves&waves=1,5", {"positions": "waves", "waves": [1, 5]}),
    ("positions", "order=shift&first=2&second=6", {"positions": "shift", "first": 2, "second": 6}),
    ("positions", "order=kinds&wave_width=16", {"positions": "kinds", "wave_width": 16}),
    ("positions", "order=terms&kind=encoder&layer=0&head=3", {"positions": "terms", "head": [3]}),
    ("positions", "order=shuffle&seed=7", {"positions": "shuffle", "seed": 7}),
    *(("layers", f"journey={panel}&kind=decoder&layer=1&head=0&row=2&part=cross",
       {"layers": panel, "part": "cross", "layer": 1, "row": 2})
      for panel in ("added", "norm", "path", "units", "vocabulary", "gradients")),
    ("atlas", f"{HEAD}&chart=map&over=grammar&by=entropy&role=self",
     {"chart": "map", "over": "grammar", "by": "entropy", "role": "self"}),
    ("atlas", "chart=scatter&by=confidence&against=distance",
     {"chart": "scatter", "by": "confidence", "against": "distance"}),
    ("atlas", "chart=table", {"chart": "table"}),
    ("atlas", "chart=detector&rule=painted&kind=encoder", {"chart": "detector", "rule": "painted"}),
    ("atlas", "chart=film&moment=3", {"chart": "film", "moment": 3}),
    ("atlas", "chart=corpus", {"chart": "corpus"}),
    ("experiment", f"{HEAD}&test=compare&edits={EDITS}",
     {"test": "compare"}),
    ("experiment", f"{HEAD}&test=find", {"test": "find"}),
    ("experiment", f"{HEAD}&test=contrast&row=1&rival=300", {"test": "contrast", "row": 1}),
    ("experiment", f"{HEAD}&test=prune&kept=12", {"test": "prune", "kept": 12}),
    ("experiment", f"{HEAD}&test=using&row=2", {"test": "using", "row": 2}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("page", "link", "expected"), LINKS, ids=[f"{page} {link[:60]}" for page, link, _ in LINKS]
)
def test_a_link_of_an_earlier_version_shows_what_it_showed(page, link, expected):
    app = open_app(page, s=TEXT, lang="en", **dict(parse_qsl(link)))
    assert app.title[0].value == say(f"{page}.title")
    assert app.text_input(key="sentence").value == TEXT
    assert {name: app.session_state[name] for name in expected} == expected
    assert not [each.value for each in app.info if each.value.startswith(REFUSED)]
    if "edits" in link:
        assert json.loads(app.session_state["edits"]) == json.loads(dict(parse_qsl(link))["edits"])


def test_the_list_holds_every_page_and_its_links_are_links():
    assert {page for page, _, _ in LINKS} == {
        "look", "all_heads", "inside", "positions", "layers", "atlas", "experiment"
    }  # fmt: skip
    for _, link, _ in LINKS:
        assert dict(parse_qsl(urlencode(parse_qsl(link)))) == dict(parse_qsl(link))
