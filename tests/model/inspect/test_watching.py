"""Looking does not change the answer, whatever is looked at."""

import numpy as np
import pytest
import torch

from model.decoding.search import greedy
from model.network.cache import Cache
from model.network.hooks import hook_points, watch
from tests.helpers.inspected import TARGET, TEXT, tokenizer, translator
from tests.helpers.tiny import tiny_translator

pytestmark = pytest.mark.usefixtures("short_translations")


@pytest.mark.slow
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
        rng = np.random.default_rng(0)
        subsets = [rng.choice(points, rng.integers(1, len(points)), replace=False) for _ in range(50)]
        for keep in ([], points, *([point] for point in points), *(list(subset) for subset in subsets)):
            assert (self.log_probs(model, cached, keep) - unseen).abs().max() <= limit

    @pytest.mark.parametrize("cached", [True, False])
    def test_while_decoding(self, model, cached):
        limit = 1e-4 if model.to_vocabulary.weight.dtype == torch.float32 else 1e-9
        source = [translator.read(TEXT).ids]
        (unseen,) = greedy(model, source, cached=cached)
        for keep in (["*"], ["*.pattern"], ["*.mixed"]):
            with watch(keep=keep):
                (seen,) = greedy(model, source, cached=cached)
            assert seen.ids == unseen.ids
            assert np.abs(np.array(seen.log_probs) - unseen.log_probs).max() <= limit
