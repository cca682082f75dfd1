"""English–French pairs in which "it" and "they" stand for something, made of a corpus's own sentences.

French gives a pronoun the gender of the word it stands for. In a corpus of short sentences hardly any
pronoun has such a word (of 150,000 Tatoeba pairs about a hundred turn "it" into "elle"), so there is
nothing to learn it from. Here a sentence that names one thing, "I lost the key.", is continued by what the
corpus says of something else, "It's small.", in the gender of the thing: "I lost the key because it was
small.", "J'ai perdu la clé parce qu'elle était petite." In two pairs of three somebody else could be meant,
"The dog lost the key because it was tired.": there what is said tells whom it is said of, for the corpus
says "tired" of somebody and "small" of things. Every quality is said in both genders alike, so that only
the word it stands for tells.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle, product
from typing import NamedTuple, TypeVar

import numpy as np

from model.recipes.corpus import Being, Quality, Thing, beings, names_one_thing, noun_genders, qualities
from model.text.french import BE, PRONOUNS, plural_of
from model.training.data import Pair

HOW = [("", ""), ("too ", "trop "), ("very ", "très "), ("so ", "si "), ("really ", "vraiment ")]
JOINTS = [*2 * [(" because ", " parce qu'")], (", but ", ", mais "), (", and ", ", et ")]
ALIKE = 4  # how many times more often the cases come in which only the quality tells who is meant
# Somebody did something: past in English, with avoir in French, so that anybody else may have done it.
SOMEBODY_DID = re.compile(
    r"(?:I|We|He|She|They|Tom|Mary) "
    r"(?!(?:am|are|is|was|were|has|have|had|do|does)(?:n't)?\b|(?:need|hate|love|want)s?\b)(\w.*)\."
)
QUELQUUN_A = re.compile(
    r"(?:J'|Je |Nous |On |Ils? |Elles? |Tom |Mary |Marie )(n')?(?:ai|a|avons|ont) "
    r"(?=(?:\w+ )?(?!été\b|du\b)\w+(?:é|i|u|is|it|ert|int)s?e?s?\b)"  # a participle
    r"(.*)\."
)
MOST = 6  # words of a deed; in a longer one something else could be meant
OTHERS = re.compile(  # words that would point back to the person who did it before
    r"\b(?:I|me|my|myself|we|us|our|he|his|him|himself|she|her|herself|they|them|their|Mary|Tom)\b", re.I
)

Drawn = TypeVar("Drawn")


class Deed(NamedTuple):
    """What somebody did to a thing, without saying who: "lost the key", "perdu la clé"."""

    english: str
    french: str
    negated: bool
    thing: Thing


def refer_pairs(pairs: Sequence[Pair], count: int, rng: np.random.Generator) -> list[Pair]:
    """Each names a thing and says something of it; refused if the corpus names none."""
    genders = noun_genders(pairs)
    named: dict[Thing, list[Pair]] = defaultdict(list)
    deeds: dict[Thing, list[Deed]] = defaultdict(list)
    for pair in pairs:
        if thing := names_one_thing(pair, genders):
            named[thing].append(pair)
            if not thing.alive and (deed := deed_of(pair, thing)):
                deeds[thing].append(deed)
    said = qualities(pairs)
    if not (named and said):
        raise ValueError("these pairs name nothing to refer to: they must be English and French")
    doers: dict[tuple[int, bool], list[Being]] = defaultdict(list)
    for being in beings(pairs, genders):
        doers[being.gender, being.plural].append(being)
    lone, rivals = _lone(named, said, rng), _rivals(deeds, doers, said, rng)
    made = []
    for number in range(count):
        rival = next(rivals, None) if number % 3 else None
        made.append(rival or next(lone))
    return made


def deed_of(pair: Pair, thing: Thing) -> Deed | None:
    """
    >>> deed_of(("Tom didn't sell the car.", "Tom n'a pas vendu la voiture."), Thing(1, False))[:3]
    ("didn't sell the car", 'pas vendu la voiture', True)
    """
    ours, theirs = SOMEBODY_DID.fullmatch(pair[0]), QUELQUUN_A.fullmatch(pair[1])
    if not (ours and theirs) or OTHERS.search(ours[1]) or len(ours[1].split()) > MOST:
        return None
    return Deed(ours[1], theirs[2], bool(theirs[1]), thing)


def _lone(
    named: Mapping[Thing, list[Pair]], said: Sequence[Quality], rng: np.random.Generator
) -> Iterator[Pair]:
    """One thing is named, and something is said of it that is said of such things."""
    for thing in cycle(sorted(named)):
        fitting = [each for each in said if (each.of_beings if thing.alive else each.of_things)] or said
        pair, quality = _drawn(named[thing], rng), _drawn(fitting, rng)
        yield _continued(pair, _remark(thing, quality, rng), rng)


def _rivals(
    deeds: Mapping[Thing, list[Deed]],
    doers: Mapping[tuple[int, bool], list[Being]],
    said: Sequence[Quality],
    rng: np.random.Generator,
) -> Iterator[Pair]:
    """Somebody and a thing are named, and what is said tells which of them is meant.

    Mostly they differ in gender and not in number: then nothing else tells, and half of all guesses fail.
    """
    of_doers = [each for each in said if not each.of_things]
    of_things = [each for each in said if not each.of_beings]
    cases = list(product(sorted(doers), sorted(deeds), (of_doers, of_things)))
    if not (cases and of_doers and of_things):
        return
    alike = [
        (who, thing, fitting) for who, thing, fitting in cases if who == (1 - thing.gender, thing.plural)
    ]
    for who, thing, fitting in cycle(cases + ALIKE * alike):
        being, deed, quality = _drawn(doers[who], rng), _drawn(deeds[thing], rng), _drawn(fitting, rng)
        meant = Thing(*who) if fitting is of_doers else thing
        has = ("n'" if deed.negated else "") + ("ont" if being.plural else "a")
        english = deed.english.replace("didn't", "did not") if rng.integers(2) else deed.english
        pair = f"{being.english} {english}.", f"{being.french} {has} {deed.french}."
        yield _continued(pair, _remark(meant, quality, rng), rng)


def _drawn(pool: Sequence[Drawn], rng: np.random.Generator) -> Drawn:
    return pool[int(rng.integers(len(pool)))]


def _remark(thing: Thing, quality: Quality, rng: np.random.Generator) -> Pair:
    (it_is, est), (how, combien) = _drawn(_it_is(thing.plural), rng), _drawn(HOW, rng)
    adjective = quality.french[thing.gender]
    if thing.plural:
        adjective = plural_of(adjective)
    pronoun = PRONOUNS[bool(thing.gender), thing.plural]
    return f"{it_is} {how}{quality.english}.", f"{pronoun} {est} {combien}{adjective}."


def _it_is(plural: bool) -> list[Pair]:
    """How a remark may begin in English, and its French verb."""
    (now, est), (then, était) = BE[plural, False], BE[plural, True]
    subject, short = ("they", "they're") if plural else ("it", "it's")
    return [(f"{subject} {now}", est), (f"{subject} {then}", était), (short, est)]


def _continued(pair: Pair, remark: Pair, rng: np.random.Generator) -> Pair:
    """In a sentence of its own, or after because, but or and."""
    (english, french), (about, propos) = pair, remark
    way = rng.integers(len(JOINTS) + 1)
    if way == len(JOINTS):
        return f"{english} {about[0].upper()}{about[1:]}", f"{french} {propos[0].upper()}{propos[1:]}"
    joint, jointure = JOINTS[way]
    return f"{english[:-1]}{joint}{about}", f"{french[:-1]}{jointure}{propos}"
