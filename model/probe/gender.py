"""Whether a model gives a pronoun the gender of the word it stands for, where English does not show it."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from model.inspect.variants import contrast_of, each_variant
from model.text.french import PRONOUNS, french_text
from model.text.treebank import Annotated
from model.translator import Translator

PARTNER = {PRONOUNS[feminine, plural]: PRONOUNS[not feminine, plural] for feminine, plural in PRONOUNS}
UNDECIDED = {  # English pronoun: what French may write
    english: tuple(PRONOUNS[feminine, plural] for feminine in (False, True))
    for english, plural in (("it", False), ("they", True))
}


class Gendered(NamedTuple):
    """A pronoun whose gender French decides; words are counted from 0."""

    sentence: Annotated
    pronoun: int
    antecedent: int
    french: int  # the French pronoun among the French words

    @property
    def words(self) -> tuple[str, ...]:
        return self.sentence.french_words or ()

    @property
    def written(self) -> str:
        return self.words[self.french]

    @property
    def feminine(self) -> bool:
        return self.written.startswith("elle")

    @property
    def other(self) -> str:
        """The French up to and with the pronoun, in the wrong gender."""
        return french_text((*self.words[: self.french], PARTNER[self.written]))


def gendered(corpus: Iterable[Annotated]) -> Iterator[Gendered]:
    """Every `it` and `they` that stands for something and that French writes as il or elle, ils or elles."""
    for sentence in corpus:
        words = sentence.french_words or ()
        for pronoun, antecedent in sentence.antecedents.items():
            for english, french in sorted(sentence.alignment.sure if sentence.alignment else ()):
                wanted = UNDECIDED.get(sentence.words[pronoun].lower(), ())
                if english == pronoun and words[french] in wanted:
                    yield Gendered(sentence, pronoun, antecedent, french)


def prefers(translator: Translator, case: Gendered) -> float:
    """How much likelier the right pronoun is than the wrong one after the same beginning, in nats."""
    source = translator.read(case.sentence.text).ids
    right = french_text(case.words[: case.french + 1])
    one, other = (translator.read_target(text).ids for text in (right, case.other))
    row = next(place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    read = contrast_of(row, one[row], other[row])
    return float(next(each_variant(translator.model, source, one, [()], read))[0])


class Score(NamedTuple):
    right: int
    cases: int
    right_feminine: int
    feminine: int


def gender_score(translator: Translator, corpus: Iterable[Annotated]) -> Score:
    """How often the right pronoun is the likelier one; always writing `il` fails all feminine ones."""
    found = [(case.feminine, prefers(translator, case) > 0) for case in gendered(corpus)]
    feminine = [right for is_feminine, right in found if is_feminine]
    return Score(sum(right for _, right in found), len(found), sum(feminine), len(feminine))
