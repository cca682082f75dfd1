"""Attention over a segment and the memory before it, by content and by distance.

Transformer-XL (Dai et al. 2019, arXiv:1901.02860, section 3): a text is read in segments. Each position of a
segment looks back over the segment and over what the layer kept of earlier ones, and a score knows how far
back a key lies instead of where it stands.

Shapes   B batch · H heads · M positions of the memory · Q of the segment · K = M + Q · D width · E = D / H
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.network.hooks import HookPoint

# The four terms of a score, in the order of the paper's section 3.3: (a), (b), (c), (d).
TERMS = ("content", "distance", "content_bias", "distance_bias")


class SegmentAttention(nn.Module):
    """Each position of the segment looks at memory and segment up to itself, by content alone: q · k."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        if width % heads:
            raise ValueError(f"width {width} does not split into {heads} heads")
        self.heads = heads
        self.to_query, self.to_key, self.to_value, self.to_output = (
            nn.Linear(width, width, bias=False) for _ in range(4)
        )
        self.terms = HookPoint("(terms, B, H, Q, K)")  # scaled, before the mask: their sum is the score
        self.scores = HookPoint("(B, H, Q, K)")  # scaled, before the mask
        self.pattern = HookPoint("(B, H, Q, K)")  # after the softmax: each row sums to one

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor, waves: Tensor) -> Tensor:
        """Let `x` (B, Q, D) look at `memory` (B, M, D) and at itself, where `mask` (Q, K) is True.

        `waves` (K, D) encode the distances K - 1, …, 0 that keys can have; content alone does not ask.
        """
        context = torch.cat((memory, x), 1)  # (B, K, D)
        query, key = self.split(self.to_query(x)), self.split(self.to_key(context))
        scale = math.sqrt(query.shape[-1])
        if self.terms.watched:
            scores = self.terms(self.each_term(query, key, waves) / scale).sum(0)
        else:
            scores = self.score(query, key, waves) / scale
        scores = self.scores(scores)
        pattern = self.pattern(scores.masked_fill(~mask, -math.inf).softmax(-1))  # (B, H, Q, K)
        mixed = pattern @ self.split(self.to_value(context))  # (B, H, Q, E)
        return self.to_output(mixed.transpose(1, 2).flatten(2))  # (B, Q, D)

    def score(self, query: Tensor, key: Tensor, waves: Tensor) -> Tensor:  # (B, H, Q, K)
        return query @ key.mT

    def each_term(self, query: Tensor, key: Tensor, waves: Tensor) -> Tensor:  # (terms, B, H, Q, K)
        return self.score(query, key, waves)[None]

    def split(self, x: Tensor) -> Tensor:  # (…, T, D) -> (…, H, T, E)
        return x.unflatten(-1, (self.heads, -1)).transpose(-3, -2)


class RelativeAttention(SegmentAttention):
    """The same with distances: score = (q + u) · k + (q + v) · r, with r for how far back the key lies.

    Multiplied out these are the TERMS: q · k, q · r, u · k and v · r. The vectors u and v stand where
    absolute positions would have brought the query's own position; they are the same wherever the query is.
    """

    def __init__(self, width: int, heads: int) -> None:
        super().__init__(width, heads)
        self.to_relative = nn.Linear(width, width, bias=False)  # W_(k,R) of the paper
        self.content_bias, self.distance_bias = (  # u and v
            nn.Parameter(torch.zeros(heads, 1, width // heads)) for _ in range(2)
        )

    def score(self, query: Tensor, key: Tensor, waves: Tensor) -> Tensor:
        relative = self.split(self.to_relative(waves))  # (H, K, E)
        by_content = (query + self.content_bias) @ key.mT
        return by_content + shift((query + self.distance_bias) @ relative.mT)

    def each_term(self, query: Tensor, key: Tensor, waves: Tensor) -> Tensor:
        relative = self.split(self.to_relative(waves))
        content, distance = query @ key.mT, shift(query @ relative.mT)
        content_bias = (self.content_bias @ key.mT).expand_as(content)
        distance_bias = shift((self.distance_bias @ relative.mT).expand_as(distance))
        return torch.stack((content, distance, content_bias, distance_bias))


def shift(by_distance: Tensor) -> Tensor:  # (B, H, Q, K) -> (B, H, Q, K)
    """From a column for each distance, K - 1 down to 0, to a column for each key (paper, appendix B).

    The last row is right as it is, since its last key is itself; each row above it moves one step further to
    the left. Cells to the right of a row's own position hold whatever was left over: the mask hides them.

    >>> shift(torch.tensor([[[[3, 2, 1, 0], [3, 2, 1, 0]]]]))[0, 0].tolist()
    [[2, 1, 0, 0], [3, 2, 1, 0]]
    """
    queries, keys = by_distance.shape[-2:]
    padded = F.pad(by_distance, (1, 0))  # one zero before each row: read with rows one shorter, they slide
    return padded.reshape(*by_distance.shape[:2], keys + 1, queries)[:, :, 1:].reshape(by_distance.shape)
