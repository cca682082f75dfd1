"""Heads that have a name and heads that have none, as the atlas of the checkpoint under test tells it."""

from collections.abc import Callable, Mapping

import pytest

from viz.state.atlas import evidence
from viz.state.causal import Where, carriers, where
from viz.text import TEXT


def named_head(atlas: Mapping) -> Where:
    """The head with most names."""
    found = carriers(atlas)
    if not found:
        pytest.skip("no head of this checkpoint has a name")
    return max(found, key=lambda head: len(found[head]))


def nameless_head(atlas: Mapping, beside: Where | None = None, observed: bool = False) -> Where:
    """A head without a name: of the layer of another, or one that does, or does not, look as a role asks."""
    found = carriers(atlas)
    heads = [head for head in map(where, atlas["heads"]) if head not in found]
    if beside:
        heads = [head for head in heads if head[:2] == beside[:2]]
    else:
        heads = [head for head in heads if bool(evidence(atlas, *head)) == observed]
    return heads[0] if heads else pytest.skip("every such head of this checkpoint has a name")


def words(atlas: Mapping, head: Where, say: Callable[..., str]) -> list[str]:
    """The names of a head, the most first."""
    keys = [(name, f"phenomenon.{name}") for name in carriers(atlas).get(head, [])]
    return [say(key) if key in TEXT else name for name, key in keys]


def link(head: Where) -> dict[str, str]:
    """A view of one head, as a link gives it."""
    return dict(zip(("kind", "layer", "head"), map(str, head), strict=True))
