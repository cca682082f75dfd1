"""Overview: the boxes hold this run's numbers, for any model and any sentence, on both sheets."""

import json
from functools import partial

import numpy as np
import pytest

from model import checkpoint
from model.network.kinds import KINDS
from tests.helpers.app import open_app
from tests.helpers.tiny import tiny_tokenizer, tiny_translator
from viz.pages.home.figures.architecture import architecture
from viz.pages.home.numbers import CANDIDATES, FINEST, Run, condensed, queries, row_of, run
from viz.text import LANGUAGES, translate

TEXT = "My sister likes the old bridge <b>in</b> the garden."
LONG = "the cat " * 90  # more than is kept whole
MODELS = [
    {},
    {"positions": "rotary"},
    {"positions": "learned", "layers": 1},
    {"positions": "none", "layers": 5},
]
say = translate("en")


@pytest.fixture(scope="module")
def tokenizer():
    return tiny_tokenizer()


@pytest.fixture(scope="module", params=MODELS, ids=str)
def tiny(request, tokenizer):
    return tiny_translator(tokenizer, **request.param)


def made(translator, trace, **more: object) -> Run:
    about = {"row": 1, "kind": "cross", "layer": 0, "heads": (1,)} | more
    return run(trace, translator.config, spell=translator.tokenizer.choices, say=say, **about)


def traced(translator):
    """A translation of a usual length: an untrained model would never end its own."""
    return translator.trace(TEXT, translator.read("le chat aime le vieux pont.").ids)


def names(drawing) -> dict[str, dict]:
    return {mark["name"]: mark for mark in drawing.marks if "name" in mark}


def test_the_boxes_hold_the_numbers_of_the_run(tiny):
    trace = traced(tiny)
    now = made(tiny, trace)
    np.testing.assert_array_equal(now.looks["cross"].weights, trace.attention["cross"][0, 1])
    np.testing.assert_allclose(now.looks["encoder"].weights, trace.attention["encoder"][0].mean(0))
    shown = {word: chance for word, chance, _ in now.candidates}
    assert len(now.candidates) == CANDIDATES and sum(written for *_, written in now.candidates) == 1
    assert shown[now.writing] == pytest.approx(float(np.exp(trace.log_probs[1])), abs=1e-5)
    for (stack, part), lengths in now.added.items():
        module = {"attention": "self_attention", "cross": "cross_attention"}.get(part, part)
        output = trace.stream[stack][f"{stack}.layers.0.{module}.output"][now.at(stack)]
        assert lengths.added == pytest.approx(float(np.linalg.norm(output)))
    assert set(now.firing) == {"encoder", "decoder"}


def test_both_sheets_show_the_same_parts_and_every_way_on_is_named(tiny):
    now = made(tiny, traced(tiny))
    for language in LANGUAGES:
        wide = architecture(now, dict.fromkeys(KINDS, "whose"), "cross", TEXT, translate(language))
        both = [names(wide), names(wide.narrow)]
        assert both[0].keys() == both[1].keys()
        assert all(mark["tip"] for mark in both[0].values() if "pick" in mark)
        assert both[0]["read.1"]["on"] and not both[0]["read.2"]["on"]
        assert [name for name in both[0] if name.startswith("layer.")] == [
            f"layer.{layer}" for layer in range(tiny.config.layers)
        ]
        assert ("positions.encoder" in both[0]) == (tiny.config.positions in ("sinusoidal", "learned"))
        # What is drawn stays on its sheet.
        for sheet in (wide, wide.narrow):
            assert all(0 <= mark["y"] <= sheet.high for mark in sheet.marks if "y" in mark)


def test_a_masked_map_is_a_triangle_and_travels_as_two_letters_a_number(tiny):
    now = made(tiny, traced(tiny))
    rows = names(architecture(now, dict.fromkeys(KINDS, ""), "cross", TEXT, say))["map.decoder"]["rows"]
    for place, row in enumerate(rows):
        assert row[2 * place + 2 :] == ".." * (len(rows) - place - 1) and ".." not in row[: 2 * place + 2]


def test_a_long_sentence_is_condensed_and_says_what_it_can(tokenizer):
    translator = tiny_translator(tokenizer)
    trace = translator.trace(LONG, keep=("attention", "mask", "value"))
    now = made(translator, trace)
    assert len(now.candidates) == 1 and not now.added and not now.vectors
    weights, seen = condensed(now.looks["encoder"])
    assert weights.shape == seen.shape and max(weights.shape) <= FINEST
    assert weights.max() == pytest.approx(now.looks["encoder"].weights.max())
    assert architecture(now, dict.fromkeys(KINDS, ""), "cross", LONG, say).narrow


def test_it_opens_on_the_word_that_the_model_was_least_sure_of(translator):
    trace = translator.trace("The boy didn't buy the shirt because it was too small.")
    words = np.array(trace.target.predicted_words) >= 0
    assert trace.log_probs[row_of(trace, None)] == trace.log_probs[words].min()
    assert row_of(trace, 2) == 2 and row_of(trace, 999) == row_of(trace, None)


def test_never_the_end_looks_at_the_end(translator):
    trace = translator.trace("She was tired.")
    for kind in KINDS:
        now = made(translator, trace, kind=kind)
        looking, seen = queries(now, kind)
        query, key, _ = now.looks[kind].strongest(None)
        assert not {looking[query], seen[key]} & {say("piece.end"), say("piece.start"), "."}


@pytest.fixture
def tiny_app(tiny, tmp_path, monkeypatch):
    checkpoint.save(tmp_path, tiny.model, tiny.tokenizer)
    checkpoint.seal(tmp_path)
    monkeypatch.setenv("HEADLIGHT_CHECKPOINT", str(tmp_path))
    return partial(open_app, "home")


def test_it_opens_for_any_model_and_any_sentence(tiny_app):
    for text in ("A", LONG):
        app = tiny_app(s=text, writes="300", lang="ko")
        assert app.title[0].value == translate("ko")("home.title")


def test_keys_walk_through_the_words_and_the_link_keeps_the_word():
    app = open_app("home", writes="2")
    app.session_state["keys"] = {"step": {"listener": 1.0, "presses": 1, "count": 1}}
    app.run()
    assert not app.exception and app.session_state["writes"] == 3
    assert dict(app.query_params)["writes"] == "3"


def test_its_numbers_can_be_taken_home(translator):
    app = open_app("home", s="She was tired.", writes="1")
    app.button(key="export").click().run()
    assert not app.exception
    labels = {each.proto.label for each in app.get("download_button")}
    assert {"SVG", "JSON", "NPZ", "HTML"} <= labels
    (drawn,) = (
        each.proto for each in app.get("bidi_component") if each.proto.component_name == "headlight_drawing"
    )
    marks = {mark["name"]: mark for mark in json.loads(drawn.json)["marks"] if "name" in mark}
    chance = float(np.exp(translator.trace("She was tired.").log_probs[1]))
    assert marks["writes"]["text"].endswith(f" {chance:.3f}")
