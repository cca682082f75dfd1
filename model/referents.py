"""English–French pairs in which "it" and "they" stand for something, made of a corpus's own sentences.

French gives a pronoun the gender of the word it stands for. In a corpus of short sentences hardly any
pronoun has such a word (of 150,000 Tatoeba pairs about a hundred turn "it" into "elle"), so there is
nothing to learn it from. Here a sentence that names one thing, "I lost the key.", goes on with what the
corpus says of somebody else, "I'm small.", in the gender of the thing: "I lost the key because it was
small.", "J'ai perdu la clé parce qu'elle était petite." Every quality is said in both genders alike, so
that only the thing tells.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from model.data import Pair

GENDERED = {"le": 0, "un": 0, "la": 1, "une": 1, "cette": 1}  # determiners that tell: masculine, feminine
SINGULAR = [*GENDERED, "ce", "cet", "mon", "ma", "ton", "ta", "son", "sa", "notre", "votre", "leur"]
PLURAL = ["les", "des", "ces", "mes", "tes", "ses", "nos", "vos", "leurs"]
NOUN = re.compile(rf"(?:\b({'|'.join(SINGULAR + PLURAL)}) |\bl')(\w+)")
CERTAIN, SEEN = 0.95, 4  # a noun has a gender if it was seen so often, and nearly always with that one
ENGLISH_NOUN = re.compile(r"\b(the|an?|my|your|his|her|our|their|this|these|those|some|two|three)\b", re.I)
PEOPLE = frozenset(  # and what "it" never stands for: "une fois", "tout le monde", "le premier"
    re.findall(
        r"\w+",
        """
        acteur actrice ami amie avocat avocate bébé capitaine chanteur chanteuse chauffeur chef client
        copain copine cousin cousine dame docteur enfant enseignant enseignante espion famille femme fille
        fils fois frère gars garçon gens grand homme infirmier infirmière mari maître maîtresse mec monde
        monsieur mère médecin même neveu nièce oncle parent patron patronne personne petit peuple pilote
        plupart policier premier première prince princesse professeur président père reine roi serveur
        serveuse soldat sœur tante type voisin voisine voleur écrivain élève épouse époux étranger étudiant
        étudiante
        """,
    )
)
ENGLISH_QUALITY = re.compile(
    r"(?:I'm|I am|You're|You are|(?:He|She|It)(?:'s| is| was)"
    r"|(?:Tom|Mary|(?:The|This|My|Your|His) \w+) (?:is|was)) (\w+)\."
)
FRENCH_QUALITY = re.compile(
    r"(?:Je suis|Tu es|C'est|C'était"
    r"|(Il|Elle|Tom|Mary|Marie|(?:Le|Ce|La|Cette|Ma|Ta|Sa) \w+) (?:est|était)) (\w+)\."
)
OF_HIM = {"Il", "Tom", "Le", "Ce"}  # the first words of a subject that is masculine
FEMININE = [  # how the feminine of an adjective may be spelled: ending, other ending
    ("eux", "euse"), ("er", "ère"), ("f", "ve"), ("el", "elle"), ("on", "onne"), ("en", "enne"),
    ("eau", "elle"), ("ieux", "ieille"), ("os", "osse"), ("as", "asse"), ("anc", "anche"), ("c", "que"),
    ("ou", "olle"), ("et", "ète"), ("et", "ette"), ("eur", "euse"), ("ong", "ongue"), ("", "e"),
]  # fmt: skip
HOW = [("", ""), ("too ", "trop "), ("very ", "très "), ("so ", "si "), ("really ", "vraiment ")]
BE = {  # English and French verbs, by number
    False: [("it is", "est"), ("it was", "était"), ("it's", "est")],
    True: [("they are", "sont"), ("they were", "étaient"), ("they're", "sont")],
}
PRONOUN = {(0, False): "il", (1, False): "elle", (0, True): "ils", (1, True): "elles"}


class Thing(NamedTuple):
    gender: int
    plural: bool


class Quality(NamedTuple):
    """An adjective in English, and in French for either gender."""

    english: str
    french: tuple[str, str]


def refer_pairs(pairs: Sequence[Pair], share: float, seed: int) -> Iterator[Pair]:
    """`share` times as many pairs as there are, each naming a thing and saying something of it."""
    if not share:
        return
    genders, named = noun_genders(pairs), defaultdict(list)
    for pair in pairs:
        if thing := names_one_thing(pair, genders):
            named[thing].append(pair)
    said = qualities(pairs)
    if not (named and said):
        raise ValueError("these pairs name nothing to refer to: they must be English and French")
    things, dice = sorted(named), np.random.default_rng((seed, 1))
    for number in range(round(share * len(pairs))):
        thing = things[number % len(things)]
        pair, quality = (pool[dice.integers(len(pool))] for pool in (named[thing], said))
        yield _continued(pair, _remark(thing, quality, dice), way=dice.integers(3))


def noun_genders(pairs: Sequence[Pair]) -> dict[str, int]:
    """What the corpus itself tells: nouns that nearly always follow determiners of one gender.

    Some of them must be un or une: le and la stand before verbs too, un and une do not.
    """
    counts: Counter = Counter()
    counted = set()
    for _, french in pairs:
        for determiner, noun in NOUN.findall(french.lower()):
            if determiner in GENDERED:
                counts[noun, GENDERED[determiner]] += 1
            if determiner in ("un", "une"):
                counted.add(noun)
    return {
        noun: gender
        for (noun, gender), count in counts.items()
        if noun in counted and count >= SEEN and count >= CERTAIN * (count + counts[noun, 1 - gender])
    }


def names_one_thing(pair: Pair, genders: Mapping[str, int]) -> Thing | None:
    """Gender and number of the one thing a pair of statements names; people are no things."""
    if not all(side.endswith(".") and side.count(".") == 1 for side in pair):
        return None
    if not ENGLISH_NOUN.search(pair[0]):
        return None  # a turn of phrase: "She has gone shopping.", "faire des courses"
    things = []
    for determiner, noun in NOUN.findall(pair[1].lower()):
        plural = determiner in PLURAL
        singular = noun[:-1] if plural and noun not in genders and noun[-1] in "sx" else noun
        if singular in PEOPLE:
            continue
        if singular not in genders:
            return None  # perhaps a thing, of a gender that nobody knows
        things.append(Thing(genders[singular], plural))
    return things[0] if len(things) == 1 else None


def qualities(pairs: Sequence[Pair]) -> list[Quality]:
    """What is said of people in one word, where the corpus has the French for both genders."""
    said, of_him = defaultdict(set), set()
    for english, french in pairs:
        ours, theirs = ENGLISH_QUALITY.fullmatch(english), FRENCH_QUALITY.fullmatch(french)
        if ours and theirs:
            said[ours[1]].add(theirs[2])
            if theirs[1] and theirs[1].split()[0] in OF_HIM:
                of_him.add(theirs[2])
    return [
        Quality(english, (masculine, feminine))
        for english in sorted(said)
        for masculine in sorted(said[english])
        for feminine in sorted(said[english])
        if _is_feminine(feminine, masculine) or (masculine == feminine and masculine in of_him)
        if masculine != feminine or masculine.endswith("e")  # "riche" is the same for both
    ]


def _is_feminine(word: str, masculine: str) -> bool:
    return any(
        masculine.endswith(ending) and word == masculine.removesuffix(ending) + other
        for ending, other in FEMININE
    )


def _remark(thing: Thing, quality: Quality, dice: np.random.Generator) -> Pair:
    (it_is, est), (how, combien) = (
        choices[dice.integers(len(choices))] for choices in (BE[thing.plural], HOW)
    )
    adjective = quality.french[thing.gender]
    if thing.plural:
        adjective = _plural(adjective)
    return f"{it_is} {how}{quality.english}.", f"{PRONOUN[thing]} {est} {combien}{adjective}."


def _plural(adjective: str) -> str:
    """
    >>> [_plural(word) for word in ("grand", "heureux", "beau", "normal")]
    ['grands', 'heureux', 'beaux', 'normaux']
    """
    if adjective[-1] in "sx":
        return adjective
    if adjective.endswith("al"):
        return adjective[:-1] + "ux"
    return adjective + ("x" if adjective.endswith("eau") else "s")


def _continued(pair: Pair, remark: Pair, way: int) -> Pair:
    """In a sentence of its own, or after because or but."""
    (english, french), (about, propos) = pair, remark
    if way == 0:
        return f"{english} {about[0].upper()}{about[1:]}", f"{french} {propos[0].upper()}{propos[1:]}"
    if way == 1:
        return f"{english[:-1]} because {about}", f"{french[:-1]} parce qu'{propos}"
    return f"{english[:-1]}, but {about}", f"{french[:-1]}, mais {propos}"
