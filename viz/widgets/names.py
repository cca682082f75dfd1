"""Heads, measures, roles and corpora in words, as the atlas names them."""

from viz.state.language import say
from viz.text import TEXT


def name_of(measure: str) -> str:
    """A measure in words; a relation keeps the name that treebanks give it in brackets."""
    key = f"atlas.measure.{measure}"
    if key in TEXT:
        return say(key)
    part, _, rest = measure.partition(".")
    if part == "relation":
        relation, _, way = rest.rpartition(".")
        known = f"relation.{relation}" if f"relation.{relation}.head" in TEXT else "relation"
        ends = {end: say(f"{known}.{end}") for end in ("dependent", "head")}
        return say(f"atlas.relation.{way}", relation=relation, **ends)
    if part == "offset":
        return say("atlas.offset", offset=f"{int(rest):+d}")
    return measure


def corpus_name(corpus: str) -> str:
    """Our own sentences in words; a file keeps its name."""
    key = f"over.{corpus}.long"
    return say(key) if key in TEXT else corpus


def head_name(kind: str, layer: int, head: int) -> str:
    return say("head.name", kind=say(f"kind.short.{kind}"), layer=layer + 1, head=head + 1)


def role_name(role: str) -> str:
    key = f"role.{role}"
    return say(key) if key in TEXT else name_of(role)
