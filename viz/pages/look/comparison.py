"""A second picture beside the first: another sentence, head or model, the untrained twin, or a batch."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from viz.state.choices import Choices, Limits, integer, one_of, text
from viz.state.examples import EXAMPLES

OTHER = EXAMPLES["he"]


@dataclass(frozen=True)
class Comparison(Choices):
    """What to compare with. Each field is a widget's key; in a link most of them are one parameter.

    >>> Comparison("head", other_layer=2, other_head=5).to_link(Comparison())
    {'compare': 'head:2.5'}
    """

    compare: str = one_of("none", "sentence", "head", "untrained", "batch", "model")
    other_text: str = text(OTHER)
    other_layer: int = integer(0, below="layers")
    other_head: int = integer(0, below="heads")
    other_model: str = text()  # its name
    cosine_word: str = text()  # of both sentences: the one whose vectors are compared

    def to_link(self, usual: Self) -> dict[str, str]:
        if self.compare == "none":
            return {}
        detail = {
            "sentence": f":{self.other_text}",
            "batch": f":{self.other_text}",
            "head": f":{self.other_layer}.{self.other_head}",
            "model": f":{self.other_model}" if self.other_model else "",
        }
        written = {"compare": self.compare + detail.get(self.compare, "")}
        named = self.compare == "sentence" and self.cosine_word
        return written | ({"cosine_word": self.cosine_word} if named else {})

    @classmethod
    def from_link(cls, link: Mapping[str, str], usual: Self, limits: Limits) -> tuple[Self, list[str]]:
        found, refused = cls._way(link, usual, limits)
        if found.compare != "sentence" or "cosine_word" not in link:
            return found, refused
        return super().from_link({"cosine_word": link["cosine_word"]}, found, limits)

    @classmethod
    def _way(cls, link: Mapping[str, str], usual: Self, limits: Limits) -> tuple[Self, list[str]]:
        way, _, detail = link.get("compare", "").partition(":")
        if not way and not detail:
            return usual, []
        if way in ("sentence", "batch") and detail:
            return replace(usual, compare=way, other_text=detail), []
        if way == "model":  # without a name: the first other one
            return replace(usual, compare=way, other_model=detail), []
        if way == "untrained" and not detail:
            return replace(usual, compare=way), []
        if way == "head":
            layer, _, head = detail.partition(".")
            place, refused = super().from_link({"other_layer": layer, "other_head": head}, usual, limits)
            if not refused:
                return replace(place, compare=way), []
        return usual, ["compare"]
