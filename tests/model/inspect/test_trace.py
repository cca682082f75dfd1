"""A trace: its shapes, its labels, and what it keeps."""

import pickle

import numpy as np
import pytest
import torch

from model.inspect.recorded import ATTENTION_POINTS
from model.inspect.replay import replay
from model.network.config import START
from model.network.kinds import KINDS
from tests.helpers.inspected import TEXT, passed, tokenizer, translator
from tests.helpers.tiny import SENTENCES

pytestmark = pytest.mark.usefixtures("short_translations")

CLOSE = 1e-5


def test_a_trace_has_every_array_with_its_promised_shape(trace):
    config = translator.config
    source, target = len(trace.source.ids), len(trace.target.read)
    rows = {"encoder": source, "decoder": target, "cross": target}
    columns = {"encoder": source, "decoder": target, "cross": source}
    for kind in KINDS:
        grid = (config.layers, config.heads, rows[kind], columns[kind])
        for name in ("attention", "scores", "mask"):
            assert getattr(trace, name)[kind].shape == grid
        for name, length in {"query": rows, "key": columns, "value": columns, "mixed": rows}.items():
            heads = (config.layers, config.heads, length[kind], config.head_width)
            assert getattr(trace, name)[kind].shape == heads
        assert trace.head_output[kind].shape == (*grid[:3], config.width)
    assert trace.top.ids.shape == trace.top.log_probs.shape == (config.layers, target, 20)
    assert trace.stream["encoder"]["encoder.layers.1.after_feed_forward"].shape == (source, config.width)
    assert trace.stream["decoder"]["decoder.layers.0.feed_forward.hidden"].shape == (target, config.hidden)


def test_arrays_are_single_precision_and_cannot_be_changed(trace):
    arrays = [getattr(trace, name)[kind] for name in ATTENTION_POINTS for kind in KINDS]
    arrays += [*trace.points.values(), *trace.head_output.values(), trace.log_probs, *trace.top]
    for array in arrays:
        assert array.dtype in (np.float32, bool, np.int64)
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    with pytest.raises(AttributeError):
        trace.source = None
    with pytest.raises(TypeError):
        trace.attention["encoder"] = None


def test_a_row_reads_one_piece_and_predicts_the_next(trace):
    assert trace.target.read_ids[0] == START
    assert trace.target.read_ids[1:] == trace.target.predicted_ids[:-1]
    assert trace.target.predicted_ids == trace.translation.ids
    assert trace.target.read[1:] == trace.target.predicted[:-1]


def test_the_replay_takes_ids_and_never_encodes_the_text_again():
    """The same words spelled by other pieces stay spelled that way."""
    letters = [tokenizer.ids([letter])[0][-1] for letter in "chat"]
    spelled = replay(translator.model, tokenizer, translator.read(TEXT), (*letters, 2))
    assert spelled.target.predicted_ids == (*letters, 2)
    assert spelled.target.predicted_ids != translator.read("chat").ids


def test_streams_add_up(trace):
    """Embedding + positions = sum, and before each norm = previous stream + output."""
    for stack, sublayers in {
        "encoder": ("self_attention", "feed_forward"),
        "decoder": ("self_attention", "cross_attention", "feed_forward"),
    }.items():
        stream = trace.stream[stack]
        points = {name: stream[f"{stack}.embedding.{name}"] for name in ("tokens", "positions", "sum")}
        np.testing.assert_allclose(points["tokens"] + points["positions"], points["sum"], atol=CLOSE)
        previous = points["sum"]
        for layer in range(translator.config.layers):
            for sublayer in sublayers:
                path = f"{stack}.layers.{layer}"
                after = {"self_attention": "attention", "cross_attention": "cross"}.get(sublayer, sublayer)
                norm = translator.model.get_submodule(f"{path}.{after}_norm")
                before = previous + stream[f"{path}.{sublayer}.output"]
                previous = stream[f"{path}.after_{after}"]
                expected = norm(torch.from_numpy(before)).detach().numpy()
                np.testing.assert_allclose(expected, previous, atol=CLOSE)


def test_the_last_lens_is_what_the_model_predicts(trace):
    assert np.allclose(
        trace.top.log_probs[-1, :, 0],
        [best.log_probs[0] for best in trace.translation.alternatives],
        atol=1e-4,
    )
    assert trace.top.ids[-1, :, 0].tolist() == [best.ids[0] for best in trace.translation.alternatives]


def test_keep_limits_a_trace_to_what_a_view_needs():
    found = translator.trace(TEXT, keep=["attention"])
    assert found.attention.keys() == KINDS.keys()
    with pytest.raises(LookupError, match="'encoder' was not kept"):
        found.scores["encoder"]
    assert passed(found)["rows_sum_to_one"] is True
    assert passed(found)["heads_recombine"] is None


def test_a_mask_has_a_row_for_every_row_whatever_else_is_kept(trace):
    found = translator.trace(TEXT, keep=["attention", "mask"])
    for kind in KINDS:
        np.testing.assert_array_equal(found.mask[kind], trace.mask[kind])


def test_one_layers_pattern_alone_is_the_same_pattern(trace):
    path = "encoder.layers.1.self_attention.pattern"
    found = translator.trace(TEXT, keep=[path])
    assert set(found.points) == {path}
    np.testing.assert_allclose(found.points[path], trace.attention["encoder"][1], atol=CLOSE)
    with pytest.raises(LookupError, match="not kept"):
        found.attention["encoder"]


def test_keeping_what_does_not_exist_is_refused_with_a_suggestion():
    with pytest.raises(LookupError, match="atention.*did you mean"):
        translator.trace(TEXT, keep=["encoder.layers.0.self_atention.pattern"])


def test_a_misspelt_field_is_refused_with_a_suggestion():
    with pytest.raises(LookupError, match="no 'atention'; did you mean 'attention'"):
        translator.trace(TEXT, keep=["atention"])


def test_many_sentences_are_traced_one_after_the_other():
    found = list(translator.trace_many(SENTENCES[:3], keep=["attention"]))
    for text, trace in zip(SENTENCES[:3], found, strict=True):
        alone = translator.trace(text, keep=["attention"])
        np.testing.assert_array_equal(trace.attention["cross"], alone.attention["cross"])


def test_a_trace_is_never_pickled(trace):
    with pytest.raises(TypeError, match="npz"):
        pickle.dumps(trace)
