import math

import pytest
import torch

from model.network.attention import causal_mask
from model.network.hooks import name_hook_points, watch
from model.network.positions import sinusoids
from model.network.relative import TERMS, RelativeAttention, SegmentAttention, shift

MEMORY, SEGMENT, WIDTH, HEADS = 5, 4, 16, 2


def attention(kind=RelativeAttention):
    torch.manual_seed(0)
    layer = kind(WIDTH, HEADS)
    for parameter in layer.parameters():
        torch.nn.init.normal_(parameter, std=0.2)
    name_hook_points(layer)
    return layer.eval()


def inputs(memory=MEMORY, segment=SEGMENT):
    generator = torch.Generator().manual_seed(1)
    x, before = (torch.randn(2, length, WIDTH, generator=generator) for length in (segment, memory))
    keys = memory + segment
    return x, before, causal_mask(segment, keys), sinusoids(torch.arange(keys - 1, -1, -1), WIDTH)


def by_a_plain_loop(layer, x, memory, head):
    """Scores of one head as the paper writes them: for each query and key, by their own distance."""
    context = torch.cat((memory, x), 1)
    own = slice(head * WIDTH // HEADS, (head + 1) * WIDTH // HEADS)
    W_q, W_k, W_r = (each.weight[own] for each in (layer.to_query, layer.to_key, layer.to_relative))
    u, v = layer.content_bias[head, 0], layer.distance_bias[head, 0]
    scores = torch.full((len(x), x.shape[1], context.shape[1]), -math.inf)
    for row in range(len(x)):
        for i in range(x.shape[1]):
            for j in range(memory.shape[1] + i + 1):
                distance = torch.tensor([memory.shape[1] + i - j])
                q, k = W_q @ x[row, i], W_k @ context[row, j]
                r = W_r @ sinusoids(distance, WIDTH)[0]
                score = q @ k + q @ r + u @ k + v @ r
                scores[row, i, j] = score / math.sqrt(WIDTH // HEADS)
    return scores


@pytest.mark.parametrize("memory, segment", [(MEMORY, SEGMENT), (0, SEGMENT), (MEMORY, 1), (0, 1), (2, 6)])
@torch.no_grad()
def test_relative_attention_equals_a_plain_loop(memory, segment):
    layer, (x, before, mask, waves) = attention(), inputs(memory, segment)
    with watch(keep=["scores", "pattern"]) as seen:
        layer(x, before, mask, waves)
    for head in range(HEADS):
        right = by_a_plain_loop(layer, x, before, head)
        allowed = seen["scores"][0][:, head].masked_fill(~mask, -math.inf)
        torch.testing.assert_close(allowed, right, rtol=0, atol=1e-6)
        torch.testing.assert_close(seen["pattern"][0][:, head], right.softmax(-1), rtol=0, atol=1e-6)


@torch.no_grad()
def test_the_four_terms_add_up_to_the_score_and_looking_changes_nothing():
    layer, given = attention(), inputs()
    unseen = layer(*given)
    with watch(keep=["scores"]) as whole:
        layer(*given)
    with watch(keep=["terms"]) as parts:
        torch.testing.assert_close(layer(*given), unseen, rtol=0, atol=1e-6)
    (terms,), (scores,) = parts["terms"], whole["scores"]
    assert len(terms) == len(TERMS)
    mask = given[2]
    torch.testing.assert_close(terms.sum(0)[..., mask], scores[..., mask], rtol=0, atol=1e-6)


@torch.no_grad()
def test_a_term_without_the_query_is_the_same_in_every_row():
    layer, (x, before, mask, waves) = attention(), inputs()
    with watch(keep=["terms"]) as seen:
        layer(x, before, mask, waves)
    terms = dict(zip(TERMS, seen["terms"][0], strict=True))
    assert (terms["content_bias"] == terms["content_bias"][:, :, :1]).all()  # one value a key
    last, above = terms["distance_bias"][:, :, -1, 1:], terms["distance_bias"][:, :, -2, :-1]
    assert (last == above).all()  # one value a distance
    assert not torch.equal(terms["distance"][:, :, -1, 1:], terms["distance"][:, :, -2, :-1])


def test_shifting_puts_every_distance_under_its_key():
    queries, keys = 4, 9
    columns = torch.arange(keys - 1, -1, -1).expand(1, 1, queries, keys)
    shifted = shift(columns)[0, 0]
    for query in range(queries):
        own = keys - queries + query
        assert shifted[query, : own + 1].tolist() == list(range(own, -1, -1))


@pytest.mark.parametrize("kind", [SegmentAttention, RelativeAttention])
def test_the_future_is_invisible(kind):
    layer, (x, before, mask, waves) = attention(kind), inputs()
    changed = x.clone()
    changed[:, -1] += 1
    first, second = (layer(each, before, mask, waves) for each in (x, changed))
    assert torch.equal(first[:, :-1], second[:, :-1])
    assert not torch.allclose(first[:, -1], second[:, -1])


def test_content_alone_knows_no_order():
    x, before, mask, waves = inputs()
    for kind, alike in ((SegmentAttention, True), (RelativeAttention, False)):
        layer = attention(kind)
        first, second = (layer(x, memory, mask, waves) for memory in (before, before.flip(1)))
        assert torch.allclose(first, second, atol=1e-6) == alike


def test_heads_must_divide_the_width():
    with pytest.raises(ValueError, match="width 16 does not split into 3 heads"):
        RelativeAttention(16, 3)
