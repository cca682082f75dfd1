"""A second picture beside the first: another sentence, another head, the untrained twin, or a batch."""

from typing import NamedTuple

from viz.state.examples import EXAMPLES

WAYS = ("none", "sentence", "head", "untrained", "batch")
OTHER = EXAMPLES["he"]


class Comparison(NamedTuple):
    """What to compare with. Each field is a widget's key; as a link it is one parameter."""

    compare: str = "none"
    other_text: str = OTHER
    other_layer: int = 0
    other_head: int = 0

    def to_link(self) -> dict[str, str]:
        """
        >>> Comparison("head", other_layer=2, other_head=5).to_link()
        {'compare': 'head:2.5'}
        """
        if self.compare == "none":
            return {}
        detail = {
            "sentence": f":{self.other_text}",
            "batch": f":{self.other_text}",
            "head": f":{self.other_layer}.{self.other_head}",
        }
        return {"compare": self.compare + detail.get(self.compare, "")}

    @classmethod
    def from_link(cls, text: str, layers: int, heads: int) -> "Comparison | None":
        """What the parameter asks for; None where that does not exist.

        >>> Comparison.from_link("head:2.5", 4, 8)
        Comparison(compare='head', other_text="The boy didn't buy the coat because it was too small.", \
other_layer=2, other_head=5)
        """
        if not text:
            return cls()
        way, _, detail = text.partition(":")
        if way in ("sentence", "batch"):
            return cls(way, detail) if detail else None
        if way == "untrained":
            return None if detail else cls(way)
        layer, _, head = detail.partition(".")
        if way != "head" or not (layer.isdecimal() and head.isdecimal()):
            return None
        if int(layer) >= layers or int(head) >= heads:
            return None
        return cls(way, other_layer=int(layer), other_head=int(head))
