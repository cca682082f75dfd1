"""Positions tells the truth: shifts are rotations, parts add up to scores, shuffled words stay themselves."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as some
from streamlit.testing.v1 import AppTest

from model import checkpoint
from model.inspect import edits
from model.network.config import preset
from model.network.positions import frequencies
from tests.helpers.app import open_app
from tests.helpers.tiny import tiny_tokenizer, tiny_translator
from viz.pages.positions import Positions, figures
from viz.pages.positions import formulas as formulas_order
from viz.pages.positions import numbers as order
from viz.pages.positions.panels.shuffle import shuffled_order
from viz.text import translate

TEXT = "The cat follows a dog in the garden."
WORDS = ["one", "two", "<three>"]
say = translate("en")
widths, bases = (
    some.sampled_from(Positions.options("wave_width")),
    some.sampled_from(Positions.options("base")),
)


# The table


@given(widths, bases, some.integers(0, 1023), some.integers(-1023, 1023))
def test_a_shift_is_one_rotation_wherever_it_begins(width, base, place, by):
    """R(k) PE(p) = PE(p + k), and R does not know p."""
    turns = frequencies(width, base).numpy()

    def exact(at: int) -> np.ndarray:
        return np.stack([np.sin(at * turns), np.cos(at * turns)], -1)

    matrices = order.rotation(by, width, base)
    turned = (matrices @ exact(place)[..., None])[..., 0]
    np.testing.assert_allclose(turned, exact(place + by), atol=1e-9)
    np.testing.assert_allclose(matrices @ matrices.mT, np.broadcast_to(np.eye(2), matrices.shape), atol=1e-12)


@pytest.mark.parametrize("by", [-60, -1, 0, 1, 7, 63])
def test_the_tables_own_numbers_obey_the_rotation(by):
    table = order.table(64, 32, 10_000)
    worst = 0.0
    for place in range(64):
        if 0 <= place + by < 64:
            for pair, matrix in enumerate(order.rotation(by, 32, 10_000)):
                here = slice(2 * pair, 2 * pair + 2)
                worst = max(worst, abs(matrix @ table[place, here] - table[place + by, here]).max())
    assert order.shift_error(table, by, 10_000) == pytest.approx(worst, abs=1e-12)
    assert worst < 1e-5


@pytest.mark.parametrize("base", Positions.options("base"))
def test_a_wave_is_back_after_its_wavelength(base):
    lengths, turns = order.wavelengths(16, base), order.turns(16, base)
    np.testing.assert_allclose(lengths, [2 * np.pi * base ** (2 * pair / 16) for pair in range(8)])
    np.testing.assert_allclose(np.sin((3 + lengths) * turns), np.sin(3 * turns), atol=1e-9)


def test_products_of_waves_depend_on_the_distance_alone_and_learned_ones_do_not():
    config = preset("tiny")
    alike = order.products(order.table(48, 32, 10_000))
    distance = abs(np.subtract.outer(np.arange(48), np.arange(48)))
    expected = np.cos(distance[..., None] * frequencies(32).numpy()).sum(-1)
    np.testing.assert_allclose(alike, expected, atol=1e-5)
    turned = order.products(order.turned(config, 48, 32))
    np.testing.assert_allclose(turned, 2 * expected, atol=1e-4)  # sine and cosine of a vector of ones
    assert order.spread(turned) < 1e-4
    learned = order.learned(config, 32)
    assert learned.shape == (config.length, 32)
    assert order.spread(order.products(learned[:48])) > 0.1
    np.testing.assert_array_equal(learned, order.learned(config, 32))


def test_looking_at_learned_positions_leaves_everybodys_dice_alone():
    before = torch.random.get_rng_state()
    order.learned(preset("tiny"), 16)
    assert torch.equal(before, torch.random.get_rng_state())


# In a run


@pytest.mark.parametrize("kind", ["encoder", "decoder"])
@pytest.mark.parametrize("positions", ["sinusoidal", "learned"])
def test_the_parts_add_up_to_the_models_own_scores(kind, positions):
    trace = tiny_translator(tiny_tokenizer(), positions=positions).trace(TEXT)
    stream = trace.stream[kind]
    for head in range(trace.scores[kind].shape[1]):
        found = order.terms(trace, kind, head)
        np.testing.assert_allclose(found.parts.sum(0), trace.scores[kind][0, head], atol=1e-4)
        assert found.difference < 1e-4
        # Each on its own: what is left when everything else is taken away.
        query_weight, query_bias, key_weight, _ = (array[0, head] for array in trace.projections(kind))
        words, places = (stream[f"{kind}.embedding.{name}"] for name in ("tokens", "positions"))
        root = np.sqrt(len(query_bias))
        content = (words @ query_weight.T) @ (words @ key_weight.T).T / root
        place = (places @ query_weight.T) @ (places @ key_weight.T).T / root
        np.testing.assert_allclose(found.parts[0], content, atol=1e-4)
        np.testing.assert_allclose(found.parts[3], place, atol=1e-4)
        row = found.strongest
        seen = np.where(trace.mask[kind][0, head], abs(place), 0)
        assert seen[row].max() == pytest.approx(seen.max(), rel=1e-4)


def test_without_added_positions_scores_do_not_fall_apart():
    for positions in ("rotary", "none"):
        trace = tiny_translator(tiny_tokenizer(), positions=positions).trace(TEXT)
        assert order.terms(trace, "encoder", 0) is None


@pytest.mark.parametrize("positions", ["sinusoidal", "learned", "rotary"])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_shuffled_words_stay_themselves_only_without_positions(positions, seed):
    translator = tiny_translator(tiny_tokenizer(), positions=positions)
    trace = translator.trace(TEXT)
    path = f"encoder.layers.{translator.config.layers - 1}.after_feed_forward"
    dealt = shuffled_order(len(trace.source.ids), seed)

    def output(*changes: edits.Edit) -> np.ndarray:
        return translator.trace(TEXT, trace.target.predicted_ids, changes, keep=[path]).points[path]

    off, shuffle = edits.PositionsOff("encoder"), edits.Shuffle(seed)
    shuffled = translator.trace(TEXT, trace.target.predicted_ids, [shuffle], keep=[path])
    assert shuffled.source.pieces == tuple(trace.source.pieces[place] for place in dealt)
    without = order.moved(output(off), output(off, shuffle), dealt)
    with_positions = order.moved(output(), output(shuffle), dealt)
    assert without.largest < 1e-5 and without.distance.max() < 1e-4
    assert with_positions.distance.max() > 100 * without.distance.max()


@given(some.permutations(range(6)))
def test_every_word_is_compared_with_itself(dealt):
    before = np.arange(12.0).reshape(6, 2)
    found = order.moved(before, before[list(dealt)], dealt)
    assert found.largest == 0 and not found.distance.any()


# Drawings


def test_every_part_is_drawn_with_its_number_and_bars_do_not_overlap():
    parts = np.array([[1.0, -2, 0.5], [2, 1, -1], [-1, 0, 0], [0.5, -0.5, 2], [0, 0, 0], [-3, 1, 1]])
    names = list("abcdef")
    drawn = figures.stacked(parts, parts.sum(0), WORDS, names, title="parts", total="score")
    marks = {mark["name"]: mark for mark in drawn.marks if "name" in mark}
    for place, word in enumerate(WORDS):
        boxes = [marks[f"{name}@{place}"] for name in names]
        for name, box, value in zip(names, boxes, parts[:, place], strict=True):
            assert box["tip"] == f"{word} · {name}: {value:.5g}"
        ends = sorted((box["x"], box["x"] + box["wide"]) for box in boxes if box["wide"] > 0.5)
        assert all(after[0] >= before[1] - 0.2 for before, after in pairwise(ends))
        assert marks[f"sum@{place}"]["text"] == f"{parts[:, place].sum():.2f}"
    assert "&lt;three&gt;" in drawn.svg() and "<three>" not in drawn.svg()


def test_a_hand_points_where_its_pair_says():
    drawn = figures.clock(np.array([0.0, 1.0]), np.array([1.0, 0.0]), 0, names=("p", "q"), title="clock")
    p, q = (mark for mark in drawn.marks if mark.get("name"))
    face = drawn.marks[0]
    assert (p["x"], p["y"]) == (face["x"], face["y"] - face["radius"])  # twelve o'clock
    assert (q["x"], q["y"]) == (face["x"] + face["radius"], face["y"])  # a quarter past


def test_formulas_carry_the_numbers():
    table = order.table(16, 8, 100)
    written = formulas_order.dot_product(table, 2, 5)
    assert f"= {float(table[2] @ table[5]):.4f}" in written
    matrix = order.rotation(3, 8, 100)[1]
    written = formulas_order.turned(matrix, table[2, 2:4], table[5, 2:4])
    for value in (*matrix.ravel(), *table[2, 2:4], *table[5, 2:4]):
        assert f"{value:.3f}" in written


# The page, whatever the model and the sentence


def open_page(link: dict[str, str]) -> AppTest:
    return open_app("positions", **link)


def drawn(app: AppTest) -> list:
    return [view for view in app.get("bidi_component") if "keys" not in view.proto.component_name]


@pytest.mark.parametrize("positions", ["learned", "rotary", "none", "window"])
def test_every_panel_opens_for_every_kind_of_model(monkeypatch, tmp_path, positions):
    changes = {"window": 2} if positions == "window" else {"positions": positions}
    translator = tiny_translator(tiny_tokenizer(), **changes)
    checkpoint.save(tmp_path, translator.model, translator.tokenizer)
    monkeypatch.setenv("HEADLIGHT_CHECKPOINT", str(tmp_path))
    for panel in Positions.options("positions"):
        app = open_page({"s": TEXT, "order": panel, "kind": "encoder", "lang": "en"})
        told = [info.value for info in app.info]
        if panel == "terms" and positions in ("rotary", "none"):
            assert told == [say("positions.terms.none", kind=say(f"positions.kind.{positions}"))]
        elif panel == "shuffle" and positions == "none":
            assert told == [say("positions.shuffle.none")]
        else:
            assert not told and drawn(app)


@pytest.mark.parametrize("panel", Positions.options("positions"))
def test_short_and_long_sentences_get_a_picture_or_one_sentence(panel):
    for text in ("Hi", "Hi.", "tree " * 150):
        app = open_page({"s": text, "order": panel, "kind": "encoder", "lang": "en"})
        told = [info.value for info in app.info]
        if told:
            assert panel in ("terms", "shuffle") and len(told) == 1
        else:
            assert drawn(app)
        if text.startswith("tree") and panel in ("terms", "shuffle"):
            assert told == [say("positions.long", longest=128)]


@pytest.mark.parametrize("panel", ["table", "waves", "shift", "kinds"])
def test_a_link_that_asks_for_more_than_the_table_has_is_brought_inside(panel):
    link = {
        "order": panel,
        "places": "16",
        "wave_width": "8",
        "first": "999",
        "second": "40",
        "waves": "9,200",
    }
    app = open_page({**link, "lang": "en"})
    state = app.session_state
    assert (state["first"], state["second"], list(state["waves"])) == (15, 15, [0])
    largest = {"places": "1024", "wave_width": "512", "first": "1000", "lang": "en", "order": panel}
    open_page(largest)


@pytest.mark.parametrize("panel", Positions.options("positions"))
def test_every_panel_can_be_taken_home(panel, translator):
    app = open_page({"s": TEXT, "order": panel, "kind": "encoder", "lang": "en"})
    app.button(key="export").click().run()
    assert not app.exception
    assert app.get("download_button")
