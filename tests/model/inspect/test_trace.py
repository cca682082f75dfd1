import json
import pickle
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from model.inspect import edits
from model.inspect.recorded import ATTENTION_POINTS
from model.inspect.replay import replay
from model.inspect.trace import Trace
from model.inspect.trace_file import save_trace
from model.network.cache import Cache
from model.network.config import START
from model.network.hooks import hook_points, watch
from model.network.kinds import KINDS
from tests.helpers.tiny import PAIRS, SENTENCES, tiny_tokenizer, tiny_translator

CLOSE = 1e-5
TEXT, TARGET = PAIRS[7]
tokenizer = tiny_tokenizer()
translator = tiny_translator(tokenizer, length=64)


@pytest.fixture(autouse=True, scope="module")
def short_translations():
    """Untrained models never stop by themselves; a few pieces are enough to look at."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("model.decoding.search.EXTRA", 2)
        yield


@pytest.fixture(scope="module")
def trace() -> Trace:
    return translator.trace(TEXT)


def passed(trace: Trace) -> dict[str, bool | None]:
    return {check.name: check.passed for check in trace.checks}


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


@pytest.mark.parametrize("positions", ["sinusoidal", "learned", "rotary", "none"])
def test_a_fresh_trace_passes_every_check(positions):
    other = tiny_translator(tokenizer, positions=positions, length=64)
    found = other.trace(TEXT)
    assert set(passed(found).values()) == {True}
    for stream in (found.stream, other.trace(TEXT, keep=["stream"]).stream):
        added = stream["encoder"]["encoder.embedding.positions"]
        assert (added is None) == (positions in ("rotary", "none"))


def test_a_forced_target_has_no_decoding_to_compare_with():
    forced = translator.trace(TEXT, target=TARGET)
    assert forced.translation is None
    assert tokenizer.decode(forced.target.predicted_ids) == TARGET
    assert passed(forced)["replay_equals_decoding"] is None
    assert sum(forced.log_probs) == pytest.approx(translator.score([(TEXT, TARGET)])[0], abs=1e-4)


class TestChecksTurnRed:
    """Break each truth on purpose; its check, and no other that still holds, must say so."""

    def test_eval_mode(self, trace):
        model = tiny_translator(tokenizer).model.train()
        found = replay(model, tokenizer, trace.source, trace.target.predicted_ids)
        assert passed(found)["eval_mode"] is False

    def test_rows_sum_to_one(self, trace):
        leaky = dict(trace.attention) | {"encoder": trace.attention["encoder"] * 1.0001}
        assert passed(replace(trace, attention=leaky))["rows_sum_to_one"] is False

    def test_rows_that_are_not_numbers(self, trace):
        nothing = dict(trace.attention) | {"encoder": trace.attention["encoder"] * np.nan}
        assert passed(replace(trace, attention=nothing))["rows_sum_to_one"] is False

    def test_masked_cells_are_empty(self, trace):
        blurred = trace.attention["decoder"].copy()
        blurred[..., 0, :2] = 0.5
        found = passed(replace(trace, attention=dict(trace.attention) | {"decoder": blurred}))
        assert found["masked_cells_are_empty"] is False
        assert found["rows_sum_to_one"] is True

    def test_heads_recombine(self, trace):
        """The classic mistake: taking a slice of W_O's output for a head."""
        swapped = trace.mixed["cross"][:, ::-1]
        assert (
            passed(replace(trace, mixed=dict(trace.mixed) | {"cross": swapped}))["heads_recombine"] is False
        )

    def test_replay_equals_decoding(self, trace):
        drifted = replace(trace.translation, log_probs=tuple(p + 2e-4 for p in trace.translation.log_probs))
        assert passed(replace(trace, translation=drifted))["replay_equals_decoding"] is False

    def test_shapes_fit_labels(self, trace):
        swapped = dict(trace.attention) | {"cross": trace.attention["cross"].swapaxes(-1, -2)}
        assert passed(replace(trace, attention=swapped))["shapes_fit_labels"] is False

    def test_heads_in_another_order(self, trace):
        turned = dict(trace.attention) | {"encoder": trace.attention["encoder"][:, ::-1]}
        found = passed(replace(trace, attention=turned))
        assert found["pattern_mixes_the_values"] is False
        assert found["scores_make_the_pattern"] is False
        assert found["rows_sum_to_one"] is True

    def test_scores_of_another_scale(self, trace):
        scaled = dict(trace.scores) | {"cross": trace.scores["cross"] * 3}
        assert passed(replace(trace, scores=scaled))["scores_make_the_pattern"] is False

    def test_the_shift_that_fooled_so_many(self, trace):
        """Rows labelled with what they predict where they should say what they read."""
        target = trace.target._replace(read=trace.target.predicted, read_ids=trace.target.predicted_ids)
        assert passed(replace(trace, target=target))["shapes_fit_labels"] is False

    def test_a_translation_of_another_length(self, trace):
        other = replace(trace.translation, log_probs=trace.translation.log_probs[1:])
        assert passed(replace(trace, translation=other))["replay_equals_decoding"] is False

    def test_a_label_lost(self, trace):
        source = trace.source._replace(pieces=trace.source.pieces[1:])
        assert passed(replace(trace, source=source))["shapes_fit_labels"] is False


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


def test_a_mask_alone_passes_the_check_of_its_shape():
    found = translator.trace(TEXT, keep=["mask"])
    assert passed(found)["shapes_fit_labels"] is True


def test_what_was_asked_for_by_its_path_is_in_the_file(tmp_path):
    paths = ["encoder.layers.0.self_attention.pattern", "decoder.layers.0.after_feed_forward"]
    save_trace(translator.trace(TEXT, keep=paths), tmp_path / "part.npz")
    with np.load(tmp_path / "part.npz", allow_pickle=False) as file:
        assert {f"points.{paths[0]}", f"stream.decoder.{paths[1]}"} <= set(file.files)
        assert "top.ids" not in file.files


def test_many_sentences_are_traced_one_after_the_other():
    found = list(translator.trace_many(SENTENCES[:3], keep=["attention"]))
    for text, trace in zip(SENTENCES[:3], found, strict=True):
        alone = translator.trace(text, keep=["attention"])
        np.testing.assert_array_equal(trace.attention["cross"], alone.attention["cross"])


def test_a_trace_is_never_pickled(trace):
    with pytest.raises(TypeError, match="npz"):
        pickle.dumps(trace)


@pytest.mark.parametrize("name", ["trace.npz", "trace.json"])
def test_a_saved_trace_is_read_without_headlight(trace, tmp_path, name):
    path = tmp_path / name
    save_trace(trace, path)
    if path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as file:
            found = dict(file)
    else:
        found = {key: np.array(value) for key, value in json.loads(path.read_text("utf-8")).items()}
    for field in ATTENTION_POINTS:
        for kind in KINDS:
            np.testing.assert_allclose(found[f"{field}.{kind}"], getattr(trace, field)[kind])
    for stack, arrays in trace.stream.items():
        for hook, array in arrays.items():
            np.testing.assert_allclose(found[f"stream.{stack}.{hook}"], array)
    assert found["source.pieces"].tolist() == list(trace.source.pieces)
    assert found["target.predicted"].tolist() == list(trace.target.predicted)
    assert str(found["translation.text"]) == trace.translation.text
    np.testing.assert_array_equal(found["top.ids"], trace.top.ids)
    assert found["checks.passed"].tolist() == [1] * len(trace.checks)
    assert all(np.isfinite(array).all() for array in found.values() if array.dtype.kind == "f")


class TestLookingDoesNotChangeTheAnswer:
    @pytest.fixture(params=[torch.float32, torch.float64], ids=["single", "double"])
    def model(self, request):
        return tiny_translator(tokenizer, length=30).model.to(request.param)

    @staticmethod
    def log_probs(model, cached, keep=()):
        """Of one fixed target: all rows at once, or row by row with a cache."""
        source, target = (torch.tensor([translator.read(text).ids]) for text in (TEXT, TARGET))
        with torch.inference_mode(), watch(keep=keep):
            if not cached:
                return model(source, target).log_softmax(-1)
            encoded, cache = model.encode(source), Cache()
            rows = [model.predict(model.decode(piece, *encoded, cache)) for piece in target.split(1, dim=1)]
            return torch.cat(rows, 1).log_softmax(-1)

    @pytest.mark.parametrize("cached", [False, True], ids=["whole", "cached"])
    def test_for_each_point_all_of_them_and_random_subsets(self, model, cached):
        limit = 1e-4 if model.to_vocabulary.weight.dtype == torch.float32 else 1e-9
        unseen, points = self.log_probs(model, False), sorted(hook_points(model))
        dice = np.random.default_rng(0)
        subsets = [dice.choice(points, dice.integers(1, len(points)), replace=False) for _ in range(50)]
        for keep in ([], points, *([point] for point in points), *(list(subset) for subset in subsets)):
            assert (self.log_probs(model, cached, keep) - unseen).abs().max() <= limit

    @pytest.mark.parametrize("cached", [True, False])
    def test_while_decoding(self, model, cached):
        from model.decoding.search import greedy

        limit = 1e-4 if model.to_vocabulary.weight.dtype == torch.float32 else 1e-9
        source = [translator.read(TEXT).ids]
        (unseen,) = greedy(model, source, cached=cached)
        for keep in (["*"], ["*.pattern"], ["*.mixed"]):
            with watch(keep=keep):
                (seen,) = greedy(model, source, cached=cached)
            assert seen.ids == unseen.ids
            assert np.abs(np.array(seen.log_probs) - unseen.log_probs).max() <= limit


words = st.lists(
    st.sampled_from(["the", "cat", "sees", "a", "dog", "Straße", "고양이", "🙂", ".", "n't"]),
    min_size=1,
    max_size=6,  # a Hangul word may take ten pieces, spelled in bytes; the model reads 64
)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(words, words)
def test_any_sentence_passes_every_check(source, target):
    found = translator.trace(" ".join(source), target=" ".join(target))
    assert set(passed(found).values()) == {True, None}
    future = np.triu_indices(len(found.target.read), 1)
    assert not found.attention["decoder"][..., future[0], future[1]].any()


@settings(max_examples=30, deadline=None)
@given(words, st.integers(0, 1), st.integers(0, 3), st.floats(0, 2, width=16))
def test_any_scaled_head_changes_only_what_comes_after_it(source, layer, head, factor):
    text = " ".join(source)
    where = f"encoder.layers.{layer}.self_attention"
    calm = translator.trace(text, target=TARGET)
    moved = translator.trace(text, target=TARGET, edits=[edits.Scale(where, head, factor)])
    assert set(passed(moved).values()) == {True, None}
    np.testing.assert_allclose(
        moved.mixed["encoder"][layer, head], calm.mixed["encoder"][layer, head] * factor, atol=1e-6
    )
    np.testing.assert_allclose(
        moved.attention["encoder"][: layer + 1], calm.attention["encoder"][: layer + 1], atol=1e-6
    )
