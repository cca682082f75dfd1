"""Heads, measures, roles and corpora in words, as the atlas names them."""

from collections.abc import Iterable, Sequence

from viz.state import runs
from viz.state.causal import Where, carriers
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


def head_title(kind: str, layer: int, head: int) -> str:
    """A head with the names that it has earned: "cross 4·1 · article gender"; most have none."""
    return " · ".join([head_name(kind, layer, head), *head_names(kind, layer, head)])


def head_label(kind: str, layer: int, head: int) -> str:
    """Where there is little room, the first of the names has to do."""
    return " · ".join([head_name(kind, layer, head), *head_names(kind, layer, head)[:1]])


def heads_label(kind: str, layer: int, heads: Sequence[int]) -> str:
    """One head as above, or several of a layer."""
    if len(heads) == 1:
        return head_label(kind, layer, heads[0])
    return ", ".join(head_name(kind, layer, head) for head in heads)


def head_in_a_sentence(kind: str, layer: int, head: int) -> str:
    """The same with the names in brackets."""
    name, names = head_name(kind, layer, head), head_names(kind, layer, head)
    return say("head.with_names", head=name, names=" · ".join(names)) if names else name


def head_names(kind: str, layer: int, head: int) -> list[str]:
    """What breaks without this head, in words, the most first."""
    return [phenomenon_name(each) for each in carriers(runs.atlas("hand")).get((kind, layer, head), ())]


def named_heads() -> dict[Where, list[str]]:
    """Every head that has names, with its names."""
    found = carriers(runs.atlas("hand"))
    return {head: [phenomenon_name(each) for each in carried] for head, carried in found.items()}


def names_on_file(heads: Iterable[Where] | None = None) -> dict[str, list[str]]:
    """The names of these heads, or of all, as files write them: {"cross.3.0": ["article_gender"]}.

    Numbered from 0, and in the words of the atlas, which are the same in every language.
    """
    known = carriers(runs.atlas("hand"))
    asked = known if heads is None else [head for head in heads if head in known]
    return {".".join(map(str, head)): known[head] for head in asked}


def phenomenon_name(phenomenon: str) -> str:
    """In words; a file of one's own keeps its name."""
    key = f"phenomenon.{phenomenon}"
    return say(key) if key in TEXT else phenomenon


def family_name(family: str) -> str:
    key = f"family.{family}"
    return say(key) if key in TEXT else family


def role_name(role: str) -> str:
    key = f"role.{role}"
    return say(key) if key in TEXT else name_of(role)
