"""English phrases that carry their French: both trees and the alignment grow together.

Each French word names the English words that it translates, so what is built from these phrases is aligned.
In a phrase all French words but one depend on another of them; that one depends on what the phrase goes into.
Agreement follows from the lexicon; elision and contraction are done once, when the sentence is complete.
"""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from model.probe.lexicon import Adjective, Noun, Verb
from model.text.french import BE, PRONOUNS, elide, french_text
from model.text.treebank import Alignment, Annotated


@dataclass(eq=False)
class Word:
    """An English word with the words that depend on it, to its left and to its right."""

    form: str
    lemma: str
    upos: str
    relation: str
    before: list["Word"] = field(default_factory=list)
    after: list["Word"] = field(default_factory=list)
    antecedent: "Word | None" = None

    def spoken(self) -> list["Word"]:
        left = [word for child in self.before for word in child.spoken()]
        return [*left, self, *(word for child in self.after for word in child.spoken())]


@dataclass(eq=False)
class Said:
    """A French word, how it depends on another, and the English words it translates, surely and possibly."""

    form: str
    relation: str
    sure: tuple[Word, ...]
    possible: tuple[Word, ...] = ()
    head: "Said | None" = None


class Phrase(NamedTuple):
    """English and French of one thing; what is said about it agrees with its gender and number."""

    word: Word
    french: list[Said]
    feminine: bool = False
    plural: bool = False

    @property
    def said(self) -> Said:
        """The French word that depends on none of the others."""
        (head,) = (said for said in self.french if said.head is None)
        return head


def under(head: Said, french: list[Said]) -> list[Said]:
    """These French words, of which those that depended on nothing now depend on this one."""
    for said in french:
        if said.head is None and said is not head:
            said.head = head
    return french


def fixed(*words: Said) -> list[Said]:
    """Words that work as one: the first stands for all."""
    return under(words[0], list(words))


def the(noun: Noun, relation: str, plural: bool = False, colour: Adjective | None = None) -> Phrase:
    article = Word("the", "the", "DET", "det")
    head = Word(noun.many if plural else noun.one, noun.one, "NOUN", relation, [article])
    said = Said(noun.french_many if plural else noun.french, relation, (head,))
    french = [Said("les" if plural else "la" if noun.feminine else "le", "det", (article,)), said]
    if colour:
        head.before.append(Word(colour.english, colour.english, "ADJ", "amod"))
        french.append(Said(colour.agreeing(noun.feminine, plural), "amod", (head.before[-1],)))
    return Phrase(head, under(said, french), noun.feminine, plural)


def pronoun(of: Phrase) -> Phrase:
    form = "they" if of.plural else "it"
    word = Word(form, form, "PRON", "nsubj", antecedent=of.word)
    french = Said(PRONOUNS[of.feminine, of.plural], "nsubj", (word,))
    return Phrase(word, [french], of.feminine, of.plural)


def acts(subject: Phrase, verb: Verb, thing: Phrase, relation: str = "root") -> Phrase:
    form, french = (verb.base, verb.french_many) if subject.plural else (verb.third, verb.french)
    word = Word(form, verb.base, "VERB", relation, [subject.word], [thing.word])
    said = Said(french, relation, (word,))
    return Phrase(word, under(said, [*subject.french, said, *thing.french]))


def being(subject: Phrase, adjective: Adjective, relation: str = "root", past: bool = False) -> Phrase:
    english, french = BE[subject.plural, past]
    be = Word(english, "be", "AUX", "cop")
    word = Word(adjective.english, adjective.english, "ADJ", relation, [subject.word, be])
    said = Said(adjective.agreeing(subject.feminine, subject.plural), relation, (word,))
    return Phrase(word, under(said, [*subject.french, Said(french, "cop", (be,)), said]))


def annotated(reason: str, phrase: Phrase, end: str = ".") -> Annotated:
    stop = Word(end, end, "PUNCT", "punct")
    phrase.word.after.append(stop)
    words = phrase.word.spoken()
    place = {word: index for index, word in enumerate(words)}
    heads = {child: place[word] for word in words for child in word.before + word.after}
    forms = [words[0].form.capitalize(), *(word.form for word in words[1:])]
    spaces = [after not in (".", "?", ",", "'s") for after in forms[1:]] + [True]
    french = _contracted(_elided(under(phrase.said, [*phrase.french, Said(end, "punct", (stop,))])))
    said_at = {said: index for index, said in enumerate(french)}
    french_words = [french[0].form.capitalize(), *(said.form for said in french[1:])]
    return Annotated(
        text="".join(form + " " * space for form, space in zip(forms, spaces, strict=True)).strip(),
        words=tuple(forms),
        lemmas=tuple(word.lemma for word in words),
        upos=tuple(word.upos for word in words),
        heads=tuple(heads.get(word, -1) for word in words),
        relations=tuple(word.relation for word in words),
        spaces_after=tuple(spaces),
        antecedents={place[word]: place[word.antecedent] for word in words if word.antecedent},
        french=french_text(french_words),
        french_words=tuple(french_words),
        french_heads=tuple(-1 if said.head is None else said_at[said.head] for said in french),
        french_relations=tuple(said.relation for said in french),
        alignment=Alignment(
            frozenset((place[word], index) for index, said in enumerate(french) for word in said.sure),
            frozenset((place[word], index) for index, said in enumerate(french) for word in said.possible),
        ),
        reason=reason,
    )


def _elided(french: list[Said]) -> list[Said]:
    """Before a vowel le, la, de, ne and que lose theirs, sa becomes son; each h of the lexicon is silent."""
    for said, after in pairwise(french):
        said.form = elide(said.form, after.form, silent_h=True)
    return french


def _contracted(french: list[Said]) -> list[Said]:
    """de le is du, de les is des: one word that translates what both did, and depends as de did."""
    found: list[Said] = []
    for said in french:
        if found and found[-1].form == "de" and said.form in ("le", "les"):
            of = found[-1]
            of.form = "du" if said.form == "le" else "des"
            of.sure, of.possible = of.sure + said.sure, of.possible + said.possible
        else:
            found.append(said)
    return found
