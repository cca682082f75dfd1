import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from model.decoding.beam import beam_search
from model.decoding.search import Sampling, greedy, length_limit, length_penalty, sample
from model.text.tokenizer import END, PAD, START
from tests.helpers.tiny import SENTENCES, tiny_tokenizer, tiny_translator

CLOSE = 1e-4
POSITIONS = ["sinusoidal", "learned", "rotary", "none"]
tokenizer = tiny_tokenizer()
SOURCES = [tokenizer.encode(text).ids for text in (*SENTENCES[:40:8], "Cat.", "A dog and a cat and a dog.")]


@pytest.fixture(scope="module", params=POSITIONS)
def model(request):
    """Untrained weights, with an end token likely enough that some translations end early."""
    model = tiny_translator(tokenizer, seed=6, positions=request.param, length=60).model
    with torch.no_grad():
        model.to_vocabulary.weight[END] *= 4
    return model


@pytest.fixture(autouse=True)
def short_translations(monkeypatch):
    """Untrained models seldom stop by themselves; a few pieces are enough to compare."""
    monkeypatch.setattr("model.decoding.search.EXTRA", 8)


def test_some_of_these_translations_end_and_some_do_not():
    model = tiny_translator(tokenizer, seed=6, length=60).model
    with torch.no_grad():
        model.to_vocabulary.weight[END] *= 4
    assert len({len(found.ids) for found in greedy(model, SOURCES) if found.finished}) > 1


def same(first, second) -> bool:
    return first.ids == second.ids and np.allclose(first.log_probs, second.log_probs, atol=CLOSE)


DRAW = Sampling(temperature=1.2, seed=7)
SEARCHES = {
    "greedy": lambda model, sources, **more: greedy(model, sources, **more),
    "sample": lambda model, sources, **more: sample(model, sources, DRAW, **more),
    "beam": lambda model, sources, **more: [
        beam.hypotheses[0] for beam in beam_search(model, sources, size=4, **more)
    ],
}  # fmt: skip


@pytest.fixture(params=SEARCHES)
def search(request):
    return SEARCHES[request.param]


def test_cached_equals_uncached(model, search):
    pairs = zip(search(model, SOURCES), search(model, SOURCES, cached=False), strict=True)
    assert all(same(cached, uncached) for cached, uncached in pairs)


def test_batched_equals_one_by_one(model, search):
    alone = [search(model, [source])[0] for source in SOURCES]
    assert len({len(found.ids) for found in alone}) > 1, "lengths must differ for this to test anything"
    assert all(same(*pair) for pair in zip(search(model, SOURCES), alone, strict=True))


def test_a_beam_of_one_is_greedy(model):
    for beam, expected in zip(beam_search(model, SOURCES, size=1), greedy(model, SOURCES), strict=True):
        (found,) = beam.hypotheses
        assert same(found, expected)
        assert found.alternatives == expected.alternatives


def test_log_probabilities_are_those_of_teacher_forcing(model, search):
    for source, found in zip(SOURCES, search(model, SOURCES), strict=True):
        read = torch.tensor([[START, *found.ids[:-1]]])
        with torch.inference_mode():
            log_probs = model(torch.tensor([source]), read)[0].log_softmax(-1)
        forced = log_probs[range(len(found.ids)), found.ids]
        assert np.allclose(forced.tolist(), found.log_probs, atol=CLOSE)
        for row, best in zip(log_probs, found.alternatives, strict=True):
            allowed = row.index_fill(0, torch.tensor([PAD, START]), -math.inf)
            assert np.allclose(allowed.topk(5).values.tolist(), best.log_probs, atol=CLOSE)


def test_every_translation_ends_once_or_meets_its_limit(model, search):
    for source, found in zip(SOURCES, search(model, SOURCES), strict=True):
        assert END not in found.ids[:-1]
        assert not {PAD, START} & set(found.ids)
        assert found.finished == (found.ids[-1] == END)
        assert found.finished or len(found.ids) == length_limit(model, source)
        assert len(found.ids) == len(found.log_probs) == len(found.alternatives)


def test_a_forced_prefix_is_how_it_begins(model, search):
    prefixes = [(50, 60, 70)[: row % 4] for row in range(len(SOURCES))]
    for prefix, found in zip(prefixes, search(model, SOURCES, prefixes=prefixes), strict=True):
        assert found.ids[: len(prefix)] == prefix


def test_forcing_what_would_be_written_anyway_changes_nothing(model):
    free = greedy(model, SOURCES)
    forced = greedy(model, SOURCES, prefixes=[found.ids[:3] for found in free])
    assert all(same(*pair) for pair in zip(free, forced, strict=True))


def test_a_wider_beam_finds_no_worse_a_translation_here(model):
    """Not a law of beam search, but a beam that loses to greedy throughout is broken."""
    narrow, wide = beam_search(model, SOURCES, 1), beam_search(model, SOURCES, 6)
    scores = [[beam.hypotheses[0].score for beam in beams] for beams in (narrow, wide)]
    assert np.mean(scores[1]) > np.mean(scores[0])


def test_the_beam_keeps_its_whole_tree(model):
    size = 3
    for beam in beam_search(model, SOURCES, size, penalty=0.6):
        assert 1 <= len(beam.hypotheses) <= size
        for index, node in enumerate(beam.nodes):
            assert node.parent < index
            parent = beam.nodes[node.parent] if node.parent >= 0 else None
            assert node.step == (parent.step + 1 if parent else 0)
            assert node.total == pytest.approx((parent.total if parent else 0) + node.log_prob)
            assert parent is None or parent.fate == "kept"
        steps = {node.step for node in beam.nodes}
        ended = 0
        for step in sorted(steps):
            layer = [node for node in beam.nodes if node.step == step]
            stayed = [node.total for node in layer if node.fate != "pruned"]
            pruned = [node.total for node in layer if node.fate == "pruned"]
            assert len(stayed) <= size - ended
            assert not pruned or min(stayed) >= max(pruned)
            ended += sum(node.fate in ("finished", "unfinished") for node in layer)
        assert ended == len(beam.hypotheses)
        for found in beam.hypotheses:
            assert found.score == pytest.approx(sum(found.log_probs) / length_penalty(len(found.ids), 0.6))


def test_the_length_penalty_is_that_of_wu_and_others():
    assert length_penalty(1, 0.6) == 1
    assert length_penalty(7, 1.0) == 2
    assert length_penalty(7, 0.0) == 1


class TestSampling:
    @pytest.fixture
    def model(self):
        return tiny_translator(tokenizer, seed=4, length=30).model

    def test_the_same_seed_draws_the_same(self, model):
        first, again = (sample(model, SOURCES[:2], Sampling(seed=3)) for _ in range(2))
        other = sample(model, SOURCES[:2], Sampling(seed=4))
        assert first == again
        assert first != other

    @pytest.mark.parametrize(
        "sampling", [Sampling(top_k=1), Sampling(top_p=1e-9), Sampling(temperature=1e-6)]
    )
    def test_the_narrowest_draw_is_greedy(self, model, sampling):
        assert all(
            same(*pair) for pair in zip(sample(model, SOURCES, sampling), greedy(model, SOURCES), strict=True)
        )

    def test_only_the_top_k_are_drawn(self, model):
        for seed in range(20):
            (found,) = sample(model, SOURCES[:1], Sampling(top_k=3, temperature=5, seed=seed))
            for id, best in zip(found.ids, found.alternatives, strict=True):
                assert id in best.ids[:3]

    def test_draws_follow_the_probabilities(self, model):
        """The first piece, drawn 400 times from five, against what the model says of them."""
        (found,) = greedy(model, SOURCES[:1])
        best, draws = found.alternatives[0], 400
        expected = draws * torch.tensor(best.log_probs).softmax(-1).numpy()
        count = dict.fromkeys(best.ids, 0)
        model.config = replace(model.config, length=1)  # only the first piece is drawn
        for seed in range(draws):
            (drawn,) = sample(model, SOURCES[:1], Sampling(top_k=5, seed=seed))
            count[drawn.ids[0]] += 1
        chi_square = ((np.array(list(count.values())) - expected) ** 2 / expected).sum()
        assert chi_square < 18.5  # 4 degrees of freedom: exceeded once in a thousand times

    @pytest.mark.parametrize(
        ("name", "value"),
        [("temperature", 0), ("temperature", -1), ("top_k", 0), ("top_p", 0), ("top_p", 1.1)],
    )
    def test_an_impossible_draw_is_refused(self, name, value):
        with pytest.raises(ValueError, match=name):
            Sampling(**{name: value})


def test_an_empty_beam_is_refused(model):
    with pytest.raises(ValueError, match="at least 1"):
        beam_search(model, SOURCES, size=0)
