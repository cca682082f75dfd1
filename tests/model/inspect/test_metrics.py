"""Each measure against a slow twin that says in loops what it means, and on a real run."""

import inspect
import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from model.inspect import metrics
from model.inspect.edits import Shuffle
from model.inspect.metrics import (
    entropy,
    max_heads,
    mean_distance,
    mean_heads,
    merge_words,
    norm_weighted,
    offset_mass,
    reading,
    rollout,
    score_terms,
    special_mass,
    without_special,
)
from model.inspect.trace import KINDS, Trace
from tests.helpers.tiny import PAIRS, tiny_tokenizer, tiny_translator

patient = settings(deadline=None)  # a busy machine is slow, not wrong
SEEDS = st.integers(0, 2**32 - 1)
SIZES = st.integers(1, 6)
LEADING = st.sampled_from([(), (3,), (2, 3)])


def masks(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Any mask with at least one True a row."""
    mask = rng.random(shape) < rng.random()
    np.put_along_axis(mask, rng.integers(0, shape[-1], (*shape[:-1], 1)), True, -1)
    return mask


def patterns(rng: np.random.Generator, mask: np.ndarray) -> np.ndarray:
    """Rows that sum to one, flat or sharp, with nothing on masked cells."""
    scores = np.where(mask, rng.normal(size=mask.shape) * rng.choice([0.1, 1, 10, 1000]), -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)


@st.composite
def maps(draw, leading=LEADING, square=False) -> tuple[np.ndarray, np.ndarray]:
    """Attention and its mask, (…, Q, K) both."""
    rng = np.random.default_rng(draw(SEEDS))
    queries = draw(SIZES)
    mask = masks(rng, *draw(leading), queries, queries if square else draw(SIZES))
    return patterns(rng, mask), mask


@st.composite
def maps_with_words(draw) -> tuple[np.ndarray, list[int], list[int]]:
    """Attention, and the words of queries and of keys in any order, special tokens among them."""
    attention, _ = draw(maps())
    words = (draw(st.lists(st.integers(-1, 3), min_size=n, max_size=n)) for n in attention.shape[-2:])
    return attention, *words


def cells(attention: np.ndarray):
    """Every (index of a map, query, key) of an array (…, Q, K)."""
    *leading, queries, keys = attention.shape
    for index in np.ndindex(*leading):
        for query in range(queries):
            for key in range(keys):
                yield index, query, key


def close(got, expected, tolerance=1e-12):
    np.testing.assert_allclose(got, expected, rtol=0, atol=tolerance)


def test_every_measure_shows_an_example():
    for name, function in inspect.getmembers(metrics, inspect.isfunction):
        if function.__module__ == metrics.__name__ and not name.startswith("_"):
            assert ">>> " in function.__doc__, f"{name} has no example"


@patient
@given(maps(), st.integers(1, 4), SEEDS)
def test_a_weight_times_a_norm_is_the_norm_of_what_is_added(drawn, width, seed):
    attention, _ = drawn
    *leading, _, keys = attention.shape
    transformed = np.random.default_rng(seed).normal(size=(*leading, keys, width))
    expected = np.empty_like(attention)
    for index, query, key in cells(attention):
        added = attention[index][query, key] * transformed[index][key]
        expected[index][query, key] = math.sqrt(sum(x * x for x in added))
    close(norm_weighted(attention, transformed), expected)


@patient
@given(maps(leading=st.sampled_from([(1,), (3,), (2, 3)])))
def test_heads_combine_cell_by_cell(drawn):
    attention, _ = drawn
    mean, largest = mean_heads(attention), max_heads(attention)
    assert mean.shape == largest.shape == (*attention.shape[:-3], *attention.shape[-2:])
    for index, query, key in cells(mean):
        weights = [head[query, key] for head in attention[index]]
        assert mean[index][query, key] == pytest.approx(sum(weights) / len(weights))
        assert largest[index][query, key] == max(weights)
    close(mean.sum(-1), 1)
    assert (largest.sum(-1) > 1 - 1e-12).all()


@patient
@given(maps(leading=st.sampled_from([(1, 1), (2, 3), (4, 2)]), square=True))
def test_rollout_follows_every_path_down_the_layers(drawn):
    attention, _ = drawn
    layers, heads, positions, _ = attention.shape
    got = rollout(attention)
    assert got.shape == (layers, positions, positions)
    for start in range(positions):
        held = [float(start == place) for place in range(positions)]
        for layer in range(layers):
            before, held = held, []
            for query in range(positions):
                taken = [
                    attention[layer, head, query, key] * before[key] / heads
                    for head in range(heads)
                    for key in range(positions)
                ]
                held.append(0.5 * sum(taken) + 0.5 * before[query])
            close(got[layer][:, start], held)
    close(got.sum(-1), 1)


def test_rollout_goes_from_the_top_layer_down():
    """Position 2 looks at 1 in layer 1, and 1 looked at 0 in layer 0: so 2 holds some of 0."""
    step = np.eye(3)[None, None].repeat(2, 0)  # (L, H, S, S)
    step[0, 0, 1], step[1, 0, 2] = np.eye(3)[0], np.eye(3)[1]
    assert rollout(step)[1, 2, 0] == 0.25
    assert rollout(step[::-1])[1, 2, 0] == 0


@patient
@given(maps())
def test_entropy_is_over_the_positions_a_row_may_look_at(drawn):
    attention, mask = drawn
    got = entropy(attention, mask)
    rows = np.full(attention.shape[:-1], math.nan)
    for index in np.ndindex(*attention.shape[:-2]):
        counted = []
        for query, row in enumerate(attention[index]):
            allowed = sum(mask[index][query])
            if allowed > 1:
                spread = sum(-weight * math.log(weight) for weight in row if weight > 0)
                counted.append(spread / math.log(allowed))
                rows[index][query] = counted[-1]
        assert got.n[index] == len(counted)
        close(got.mean[index], sum(counted) / len(counted) if counted else math.nan)
    close(got.rows, rows)


@patient
@given(SEEDS, SIZES, st.integers(2, 6))
def test_entropy_runs_from_one_choice_to_all_choices_alike(seed, queries, keys):
    mask = masks(np.random.default_rng(seed), queries, keys)
    mask[0, :2] = True
    free = mask.sum(-1) > 1
    assert free.sum() == entropy(mask / mask.sum(-1, keepdims=True), mask).n
    close(entropy(mask / mask.sum(-1, keepdims=True), mask).rows[free], 1)
    sharp = entropy(np.eye(keys)[mask.argmax(-1)], mask).rows[free]
    assert (sharp == 0).all() and not np.signbit(sharp).any()  # "-0.00" is no number to show


def test_where_no_row_has_a_choice_there_is_no_entropy():
    got = entropy(np.ones((2, 1, 1)), np.ones((2, 1, 1), bool))
    assert np.isnan(got.rows).all() and np.isnan(got.mean).all() and (got.n == 0).all()


def test_one_mask_serves_all_heads_and_an_empty_row_is_refused():
    attention, mask = np.full((2, 3, 4, 4), 0.25), np.ones((4, 4), bool)
    close(entropy(attention, mask).mean, np.ones((2, 3)))
    mask[2] = False
    with pytest.raises(ValueError, match="allows no position"):
        entropy(attention, mask)


@patient
@given(maps(square=True))
def test_mean_distance_weighs_how_far_each_position_is(drawn):
    attention, _ = drawn
    expected = np.zeros(attention.shape[:-1])
    for index, query, key in cells(attention):
        expected[index][query] += attention[index][query, key] * abs(query - key)
    close(mean_distance(attention), expected)


@patient
@given(maps(square=True), st.integers(-6, 6))
def test_offset_mass_is_the_mean_over_rows_that_have_such_a_position(drawn, offset):
    attention, _ = drawn
    found = {}
    for index, query, key in cells(attention):
        if key - query == offset:
            found.setdefault(index, []).append(attention[index][query, key])
    expected = np.full(attention.shape[:-2], np.nan)
    for index, weights in found.items():
        expected[index] = sum(weights) / len(weights)
    close(offset_mass(attention, offset), expected)


@pytest.mark.parametrize("measure", [mean_distance, rollout, lambda attention: offset_mass(attention, 1)])
def test_what_is_for_self_attention_refuses_another(measure):
    with pytest.raises(ValueError, match="3 queries and 4 keys"):
        measure(np.full((2, 2, 3, 4), 0.25))


@patient
@given(maps_with_words(), st.booleans())
def test_without_special_tokens_each_row_is_shared_among_the_others(drawn, drop_rows):
    attention, query_words, key_words = drawn
    got = without_special(attention, key_words, query_words if drop_rows else None)
    kept = [key for key, word in enumerate(key_words) if word != -1]
    rows = [row for row, word in enumerate(query_words) if word != -1 or not drop_rows]
    assert (got.queries, got.keys) == (tuple(rows), tuple(kept))
    assert got.attention.shape == (*attention.shape[:-2], len(rows), len(kept))
    hidden, shares = np.zeros(got.hidden.shape), np.zeros(got.attention.shape)
    for index in np.ndindex(*attention.shape[:-2]):
        for new, row in enumerate(rows):
            weights = attention[index][row]
            for key, word in enumerate(key_words):
                hidden[index][new] += weights[key] if word == -1 else 0
            left = sum(weights[key] for key in kept)
            shares[index][new] = [weights[key] / left if left else 0.0 for key in kept]
    close(got.hidden, hidden)
    close(special_mass(attention, key_words)[..., rows], hidden)
    close(got.attention, shares)
    close(got.attention.sum(-1), shares.any(-1))  # one, or zero where all was hidden


def test_a_row_with_all_its_mass_on_special_tokens_is_blank_and_says_so():
    got = without_special(np.array([[1.0, 0.0], [0.5, 0.5]]), (-1, 0))
    assert got.attention.tolist() == [[0.0], [1.0]]
    assert got.hidden.tolist() == [1.0, 0.5]


def test_a_sentence_of_special_tokens_alone_leaves_nothing():
    got = without_special(np.ones((2, 1, 1)), (-1,), (-1,))
    assert got.attention.shape == (2, 0, 0) and got.hidden.shape == (2, 0)
    assert got.queries == got.keys == ()
    assert merge_words(got.attention, (), ()).attention.shape == (2, 0, 0)


def units_of(words: list[int]) -> list[list[int]]:
    """Positions by word, in the order of first pieces; special tokens one by one."""
    units = []
    for place, word in enumerate(words):
        if word == -1:
            units.append([place])
        elif word not in words[:place]:
            units.append([later for later in range(place, len(words)) if words[later] == word])
    return units


@patient
@given(maps_with_words())
def test_pieces_merge_by_sum_over_keys_and_mean_over_queries(drawn):
    attention, query_words, key_words = drawn
    got = merge_words(attention, query_words, key_words)
    assert [list(unit) for unit in got.queries] == units_of(query_words)
    assert [list(unit) for unit in got.keys] == units_of(key_words)
    expected = np.zeros(got.attention.shape)
    for index, row, column in cells(expected):
        queries, keys = got.queries[row], got.keys[column]
        total = sum(attention[index][query, key] for query in queries for key in keys)
        expected[index][row, column] = total / len(queries)
    close(got.attention, expected)
    close(got.attention.sum(-1), 1)


@patient
@given(maps_with_words())
def test_merging_words_of_one_piece_changes_nothing(drawn):
    attention, query_words, key_words = drawn
    got = merge_words(attention, range(len(query_words)), [-1] * len(key_words))
    np.testing.assert_array_equal(got.attention, attention)


@patient
@given(maps())
def test_a_merged_mask_allows_what_any_piece_may_see(drawn):
    _, mask = drawn
    queries, keys = ([place // 2 for place in range(n)] for n in mask.shape[-2:])
    got = merge_words(mask, queries, keys)
    for index, row, column in cells(got.attention):
        seen = mask[index][np.ix_(got.queries[row], got.keys[column])].any()
        assert (got.attention[index][row, column] > 0) == seen


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        (lambda a: special_mass(a, (0, 1)), "2 word numbers do not fit 3 keys"),
        (lambda a: without_special(a, (0, 1)), "2 word numbers do not fit 3 keys"),
        (lambda a: without_special(a, (0, 1, 2), (0,)), "1 word numbers do not fit 2 queries"),
        (lambda a: merge_words(a, (0, 0, 1), (0, 1)), "3 word numbers do not fit 2 queries"),
        (lambda a: merge_words(a, (0, 1), (0, 1)), "2 word numbers do not fit 3 keys"),
    ],
)
def test_words_of_another_sentence_are_refused(measure, message):
    with pytest.raises(ValueError, match=message):
        measure(np.full((2, 3), 1 / 3))


@patient
@given(SEEDS, SIZES, st.integers(1, 4), st.integers(1, 5), LEADING)
def test_score_terms_are_the_product_multiplied_out(seed, positions, head_width, width, leading):
    rng = np.random.default_rng(seed)
    token, position = rng.normal(size=(2, positions, width))
    query_weight, key_weight = rng.normal(size=(2, *leading, head_width, width))
    query_bias, key_bias = rng.normal(size=(2, *leading, head_width))
    got = score_terms(token, position, query_weight, query_bias, key_weight, key_bias)
    expected = [np.empty((*leading, positions, positions)) for _ in got]
    for index, i, j in cells(expected[0]):
        to_query, to_key = query_weight[index] / math.sqrt(head_width), key_weight[index]
        liked = query_bias[index] / math.sqrt(head_width)
        terms = (
            (to_query @ token[i]) @ (to_key @ token[j]),
            (to_query @ token[i]) @ (to_key @ position[j]),
            (to_query @ position[i]) @ (to_key @ token[j]),
            (to_query @ position[i]) @ (to_key @ position[j]),
            liked @ (to_key @ (token[j] + position[j])),
            (to_query @ (token[i] + position[i]) + liked) @ key_bias[index],
        )
        for array, term in zip(expected, terms, strict=True):
            array[index][i, j] = term
    for array, twin in zip(got, expected, strict=True):
        assert array.shape == twin.shape
        close(array, twin)


@pytest.mark.parametrize("precision", [np.float32, np.float64])
def test_results_have_the_precision_of_what_came_in(precision):
    attention = np.full((2, 3, 4, 4), 0.25, precision)
    x, weight, bias = (np.ones(shape, precision) for shape in ((4, 6), (3, 2, 6), (3, 2)))
    spread = entropy(attention, np.ones((4, 4), bool))
    visible = without_special(attention, (0, 1, 1, -1))
    results = [
        norm_weighted(attention, np.ones((2, 3, 4, 5), precision)),
        mean_heads(attention), max_heads(attention), rollout(attention), mean_distance(attention),
        offset_mass(attention, -1), offset_mass(attention, 9), spread.rows, spread.mean,
        special_mass(attention, (0, 1, 1, -1)), visible.attention,
        visible.hidden, merge_words(attention, (0, 0, 1, 1), (0, 1, 1, -1)).attention,
        *score_terms(x, x, weight, bias, weight, bias),
    ]  # fmt: skip
    assert {result.dtype for result in results} == {np.dtype(precision)}


TOKENIZER = tiny_tokenizer()
SOURCE, TARGET = PAIRS[0]


def run(double: bool = False, edits=(), **changes) -> tuple[Trace, torch.nn.Module]:
    translator = tiny_translator(TOKENIZER, **changes)
    with torch.no_grad():  # no term may be there only by name
        for name, weight in translator.model.named_parameters():
            if name.endswith("bias"):
                weight.add_(torch.randn(weight.shape, generator=torch.Generator().manual_seed(1)))
    model = translator.model.double() if double else translator.model
    return translator.trace(SOURCE, TARGET, edits), model


@pytest.fixture(scope="module")
def trace() -> Trace:
    return run()[0]


@pytest.mark.parametrize("kind", KINDS)
def test_the_edges_of_a_head_add_up_to_what_it_writes(trace, kind):
    attention, transformed = trace.attention[kind], trace.transformed[kind]
    edges = attention[..., None] * transformed[:, :, None]  # (L, H, Q, K, D)
    close(edges.sum(-2), trace.head_output[kind], 1e-5)
    norms = norm_weighted(attention, transformed)
    close(norms, np.sqrt((edges**2).sum(-1)), 1e-5)
    assert np.ptp(norms.sum(-1)) > 1e-2  # the norms do say more than the weights


@pytest.mark.parametrize(("double", "tolerance"), [(False, 1e-4), (True, 1e-9)])
@pytest.mark.parametrize("positions", ["sinusoidal", "learned"])
@pytest.mark.parametrize("stack", ["encoder", "decoder"])
def test_score_terms_sum_to_the_first_layers_scores(stack, positions, double, tolerance):
    trace, model = run(double, positions=positions)
    terms = terms_of(trace, model, stack)
    close(sum(terms), trace.scores[stack][0], tolerance)
    for term in terms:  # each is needed: a law that a lost term would keep is no test
        assert np.abs(term).max() > 100 * 1e-4
    close(terms.key_bias, np.broadcast_to(terms.key_bias[..., :1], terms.key_bias.shape), 0)


@pytest.mark.parametrize("positions", ["rotary", "none"])
def test_scores_without_added_positions_do_not_split(positions):
    trace, model = run(positions=positions)
    with pytest.raises(ValueError, match="adds no positions"):
        terms_of(trace, model, "encoder")


def terms_of(trace: Trace, model: torch.nn.Module, stack: str) -> metrics.ScoreTerms:
    attention = getattr(model, stack).layers[0].self_attention
    stream = trace.stream[stack]
    parts = [stream[f"{stack}.embedding.{part}"] for part in ("tokens", "positions")]
    for linear in (attention.to_query, attention.to_key):  # a head is a run of their rows
        parts.append(linear.weight.detach().unflatten(0, (attention.heads, -1)).numpy())
        parts.append(linear.bias.detach().unflatten(0, (attention.heads, -1)).numpy())
    return score_terms(*parts)


@pytest.mark.parametrize("edits", [(), (Shuffle(3),)], ids=["straight", "shuffled"])
@pytest.mark.parametrize("kind", KINDS)
def test_merged_rows_of_a_run_sum_to_one_and_keep_its_words_whole(kind, edits):
    trace, _ = run(edits=edits)
    source, target = trace.source.words, trace.target.read_words
    queries, keys = source if kind == "encoder" else target, target if kind == "decoder" else source
    merged = merge_words(trace.attention[kind], queries, keys)
    close(merged.attention.sum(-1), 1, 1e-5)
    assert len(merged.keys) == len({word for word in keys if word >= 0}) + keys.count(-1)
    for unit in merged.keys:
        assert len({keys[place] for place in unit}) == 1
    if edits and kind == "encoder":  # the shuffle did tear a word apart
        assert any(np.diff(unit).max(initial=1) > 1 for unit in merged.keys)


def test_the_first_decoder_row_looks_at_the_start_token_only(trace):
    words = trace.target.read_words
    visible = without_special(trace.attention["decoder"], words)
    assert not visible.attention[:, :, 0].any()
    close(visible.hidden[:, :, 0], 1, 1e-6)
    close(visible.attention[:, :, 1:].sum(-1), 1, 1e-5)
    spread = entropy(trace.attention["decoder"], trace.mask["decoder"])
    assert np.isnan(spread.rows[:, :, 0]).all() and (spread.n == len(words) - 1).all()


def test_a_row_is_read_under_two_names_one_step_apart(trace):
    read, predicted = (reading(trace.target, which) for which in ("read", "predicted"))
    assert predicted.ids == TOKENIZER.encode(TARGET).ids
    assert read.words[0] == -1 and predicted.words[-1] == -1
    for ahead, behind in zip(predicted, read, strict=True):
        assert len(ahead) == len(behind) and ahead[:-1] == behind[1:]
    assert TOKENIZER.tokens(read.ids) == (read.ids, read.pieces, read.words)


@pytest.mark.parametrize("which", ["", "Read", "written", None])
def test_another_reading_is_refused_with_a_sentence(trace, which):
    with pytest.raises(ValueError, match=r"named by read or predicted, not by"):
        reading(trace.target, which)
