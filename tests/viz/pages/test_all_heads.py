"""All heads: the numbers that reach the browser, the measures, and the way to one head."""

from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model.inspect.trace import KINDS, Target, Trace
from model.text.tokenizer import Tokens
from tests.helpers.app import choose, open_app, sent, speak
from tests.helpers.named import words
from tests.helpers.tiny import PAIRS, tiny_tokenizer, tiny_translator
from viz.components.head_grid import Block, payload
from viz.components.payload import FORBIDDEN, SCALE
from viz.figures.labels import readable
from viz.pages.all_heads.numbers import MEASURES, measures
from viz.state.causal import carriers
from viz.state.selection import Selection
from viz.state.session import EXAMPLE
from viz.text import LANGUAGES, translate

MOST_BYTES = 500_000  # every head of 6 + 6 layers, 40 pieces


@pytest.fixture(scope="module")
def trace() -> Trace:
    return tiny_translator(tiny_tokenizer()).trace(*PAIRS[0])


@pytest.fixture
def app() -> AppTest:
    return open_app("all_heads")


def grid(app: AppTest) -> tuple[dict, list[np.ndarray]]:
    """The header, and each block's weights (L, H, Q, K) with NaN where a row may not look.

    Of each row only the part where it may look has travelled.
    """
    ((header, numbers),) = sent(app, "head_grid")
    blocks = []
    for block in header["blocks"]:
        shape = (block["layers"], block["heads"], len(block["queries"]), len(block["keys"]))
        whole = np.full(shape, np.nan)
        for layer, head, row in np.ndindex(shape[:3]):
            first, end = block["seen"][row]
            here, numbers = np.split(numbers, [end - first])
            whole[layer, head, row, first:end] = np.where(here == FORBIDDEN, np.nan, here / SCALE)
        blocks.append(whole)
    assert not numbers.size
    return header, blocks


def test_every_weight_of_every_head_is_sent_as_the_model_used_it(app, translator):
    trace, say = translator.trace(EXAMPLE), translate("en")
    header, blocks = grid(app)
    assert [block["kind"] for block in header["blocks"]] == list(KINDS)
    for kind, block, weights in zip(KINDS, header["blocks"], blocks, strict=True):
        expected = np.where(trace.mask[kind], trace.attention[kind], np.nan)
        np.testing.assert_allclose(weights, expected, rtol=0, atol=1e-5)
        rows = trace.source.pieces if kind == "encoder" else trace.target.predicted
        columns = trace.target.read if kind == "decoder" else trace.source.pieces
        assert block["queries"] == [readable(piece, say) for piece in rows]
        assert block["keys"] == [readable(piece, say) for piece in columns]


def test_rows_are_named_as_chosen_and_the_page_says_so(app, translator):
    choose(app, reading="read")
    trace, say = translator.trace(EXAMPLE), translate("en")
    encoder, decoder, cross = grid(app)[0]["blocks"]
    assert decoder["queries"] == decoder["keys"] == cross["queries"]
    assert decoder["queries"] == [readable(piece, say) for piece in trace.target.read]
    assert encoder["axes"] == say("all_heads.rows.source")
    assert cross["axes"] == say("all_heads.rows.cross.read")


@pytest.mark.parametrize("language", LANGUAGES)
def test_heads_that_have_names_are_sent_with_them_and_the_others_with_none(app, atlas, language):
    say, heads = translate(language), 1 + max(entry["head"] for entry in atlas["heads"])
    for block in grid(speak(app, language))[0]["blocks"]:
        known = [head for head in carriers(atlas) if head[0] == block["kind"]]
        expected = {
            str(layer * heads + head): words(atlas, (kind, layer, head), say) for kind, layer, head in known
        }
        assert block["names"] == expected
    said = [each.value for each in app.markdown]
    assert any(say("all_heads.named") in each for each in said) == bool(carriers(atlas))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("measure", MEASURES)
def test_every_measure_is_explained_in_every_language(app, measure, language):
    choose(speak(app, language), measure=measure)
    say = translate(language)
    assert grid(app)[0]["measure"] == measure
    assert say(f"all_heads.seen.{measure}") in [each.value for each in app.markdown]


def test_the_head_chosen_elsewhere_is_framed(app, translator):
    heads = translator.config.heads
    app.session_state["kind"], app.session_state["layer"] = "encoder", 1
    app.session_state["head"], app.session_state["several"] = [0, 2], True
    selected = grid(app.run())[0]["selected"]
    assert selected == {"block": 0, "map": heads, "maps": [heads, heads + 2]}


@pytest.mark.parametrize("name", MEASURES)
def test_a_measure_is_one_number_a_head_or_none(trace, name):
    exists = {
        "distance": list(KINDS)[:2],
        "previous": list(KINDS)[:2],
        "self": list(KINDS)[:2],
        "next": list(KINDS)[:1],
    }
    for kind, values in measures(trace, name).items():
        assert values.shape == trace.attention[kind].shape[:2]
        assert np.isfinite(values).all() == (kind in exists.get(name, KINDS))
        assert np.isnan(values).all() == (kind not in exists.get(name, KINDS))


@pytest.mark.parametrize("kind", list(KINDS)[:2])
def test_measures_say_in_one_number_what_the_rows_do(trace, kind):
    attention = trace.attention[kind][1, 2]
    words = trace.source.words if kind == "encoder" else trace.target.read_words
    size = len(attention)
    slow = {
        "distance": np.mean([attention[i] @ [abs(i - j) for j in range(size)] for i in range(size)]),
        "previous": np.mean([attention[i, i - 1] for i in range(1, size)]),
        "self": np.mean([attention[i, i] for i in range(size)]),
        "special": np.mean([sum(row[np.array(words) == -1]) for row in attention]),
    }
    for name, expected in slow.items():
        assert measures(trace, name)[kind][1, 2] == pytest.approx(expected, abs=1e-6)


def test_another_measure_is_refused(trace):
    with pytest.raises(ValueError, match="a measure is one of"):
        measures(trace, "none")


def made_up(layers: int, heads: int, size: int) -> list[Block]:
    """Blocks with labels and names as long and as many as they get."""
    labels = [f"extraordinairement{place}" for place in range(size)]
    weights = np.full((layers, heads, size, size), 1 / size, np.float32)
    values = {name: np.full((layers, heads), 0.12345) for name in MEASURES}
    mask, names = (
        np.ones_like(weights, bool),
        dict.fromkeys(np.ndindex(layers, heads), ["participle gender"] * 3),
    )
    return [Block(kind, weights, mask, labels, labels, kind, values, names) for kind in KINDS]


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_heads_of_a_long_sentence_fit_the_budget(language):
    assert len(payload(made_up(6, 8, 40), Selection(), "none", translate(language))) <= MOST_BYTES


def test_labels_of_another_sentence_are_refused():
    block = made_up(1, 1, 3)[0]._replace(keys=["one"])
    with pytest.raises(ValueError, match="3 × 3 do not fit 3 queries × 1 keys"):
        payload([block], Selection(), "none", translate("en"))


def test_a_sentence_of_one_piece_has_nothing_before_or_after():
    alone = np.ones((1, 1, 1, 1), np.float32)
    run = SimpleNamespace(
        attention=dict.fromkeys(KINDS, alone),
        mask=dict.fromkeys(KINDS, alone > 0),
        source=Tokens((2,), ("</s>",), (-1,)),
        target=Target(("<s>",), ("</s>",), (1,), (2,), (-1,), (-1,)),
    )
    found = {name: measures(run, name) for name in MEASURES}
    assert np.isnan(found["previous"]["encoder"]) and np.isnan(found["entropy"]["cross"])
    assert found["special"]["decoder"] == found["self"]["decoder"] == 1
