"""What an English–French corpus tells about its own words: the gender of nouns, and what is said of whom."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from model.probe import lexicon
from model.text.french import plural_of
from model.training.data import Pair

GENDERED = {"le": 0, "un": 0, "la": 1, "une": 1, "cette": 1}  # determiners that show it: 1 is feminine
SINGULAR = [*GENDERED, "ce", "cet", "mon", "ma", "ton", "ta", "son", "sa", "notre", "votre", "leur"]
PLURAL = ["les", "des", "ces", "mes", "tes", "ses", "nos", "vos", "leurs"]
NOUN = re.compile(rf"(?:\b({'|'.join(SINGULAR + PLURAL)}) |\bl')(\w+)")
CERTAIN, SEEN = 0.95, 4  # how regularly, and how often at least, a noun must be seen with its gender
ENGLISH_NOUN = re.compile(
    r"\b(?:the|an?|my|your|his|her|our|their|this|that|these|those|some|two|three|many) (\w+)", re.I
)
# What the lexicon of the probe has, and more that corpora mention.
ANIMALS = frozenset(noun.french for noun in lexicon.ANIMALS).union(
    re.findall(
        r"\w+",
        """
        animal araignée baleine chaton chatte chienne chiot cochon dauphin lapin lion mouche mouton ours
        papillon poisson rat renard serpent singe tigre éléphant
        """,
    )
)
PEOPLE = frozenset(noun.french for noun in lexicon.PEOPLE).union(
    re.findall(
        r"\w+",
        """
        acteur ami amie avocat avocate bébé capitaine chanteur chanteuse chauffeur chef client copain copine
        cousin cousine dame docteur enseignant enseignante espion fils gars infirmier mari maître maîtresse
        mec monsieur mère neveu nièce parent patron patronne pilote policier prince princesse professeur
        président père serveur serveuse voisin voisine voleur écrivain élève épouse époux étranger étudiant
        étudiante
        """,
    )
)
ALIVE = ANIMALS | PEOPLE
NO_THINGS = PEOPLE | {  # and what "it" never stands for: "une fois", "tout le monde", "le premier"
    "famille", "fois", "gens", "grand", "monde", "même", "personne", "petit", "peuple", "plupart", "premier",
    "première", "type",
}  # fmt: skip
MET, TOGETHER = 3, 0.3  # from which count and Dice coefficient on two nouns translate each other
ENGLISH_QUALITY = re.compile(  # no nationality, and nothing that several people are: "They're friends."
    r"(I|You|We|They|He|She|Tom|Mary|It|That|(?:The|This|That|These|Those|My|Your|His) \w+)"
    r"(?:'m|'re|'s| am| are| is| was| were) (?:(?:too|very|so|really) )?([a-z]*(?:[a-rt-z]|ous|ss))\."
)
FRENCH_QUALITY = re.compile(
    r"(Je|J'|Tu|Nous|C'|Ils?|Elles?|Tom|Mary|Marie|(?:Le|Ce|La|Cette|Ma|Ta|Sa|Les|Ces) \w+) ?"
    r"(?:suis|étais|es|sommes|étions|est|était|sont|étaient) "
    r"(?:(?:trop|très|si|tellement|vraiment) )?(\w+)[.!]"
)
HE, SEVERAL = re.compile(r"(?:Il|Tom|Le|Ce)\b"), re.compile(r"(?:Nous|Ils|Elles|Les|Ces)\b")
SOMEBODY = {"I", "You", "We", "He", "She", "Tom", "Mary"}
FEMININE = [  # how the feminine of an adjective may be spelled: ending, other ending
    ("eux", "euse"), ("er", "ère"), ("f", "ve"), ("el", "elle"), ("on", "onne"), ("en", "enne"),
    ("eau", "elle"), ("ieux", "ieille"), ("os", "osse"), ("as", "asse"), ("anc", "anche"), ("c", "que"),
    ("ou", "olle"), ("oux", "ouse"), ("et", "ète"), ("et", "ette"), ("eur", "euse"), ("ong", "ongue"),
    ("", "e"),
]  # fmt: skip


class Thing(NamedTuple):
    gender: int
    plural: bool
    alive: bool = False


class Being(NamedTuple):
    """An animal, or people: with the article, in both languages."""

    english: str
    french: str
    gender: int
    plural: bool


class Quality(NamedTuple):
    """An adjective in English, and in French for either gender; of whom or what it is said."""

    english: str
    french: tuple[str, str]
    of_beings: bool = True
    of_things: bool = True


def noun_genders(pairs: Sequence[Pair]) -> dict[str, int]:
    """What the corpus itself tells: nouns that nearly always follow determiners of one gender.

    Some of them must be un or une: le and la stand before verbs too, un and une do not.
    """
    counts: Counter[tuple[str, int]] = Counter()
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
    """Gender and number of the one thing a pair of statements names; people are not things."""
    if not all(side.endswith(".") and side.count(".") == 1 for side in pair):
        return None
    if not ENGLISH_NOUN.search(pair[0]):
        return None  # a turn of phrase: "She has gone shopping.", "faire des courses"
    things = []
    for determiner, noun in NOUN.findall(pair[1].lower()):
        plural = determiner in PLURAL
        singular = noun[:-1] if plural and noun not in genders and noun[-1] in "sx" else noun
        if singular in NO_THINGS:
            continue
        if singular not in genders:
            return None  # perhaps a thing, but of unknown gender
        things.append(Thing(genders[singular], plural, singular in ANIMALS))
    return things[0] if len(things) == 1 else None


def beings(pairs: Sequence[Pair], genders: Mapping[str, int]) -> list[Being]:
    """Animals, and people in the plural (one person is never "it"), as the corpus translates them."""
    singulars = ANIMALS & set(genders)
    plurals = {plural_of(noun): noun for noun in ALIVE & set(genders)}
    met: dict[tuple[str, bool], Counter[str]] = defaultdict(Counter)  # English nouns, by French form
    seen: Counter[tuple[str, bool]] = Counter()
    said: Counter[str] = Counter()
    elided: set[str] = set()
    for english, french in pairs:
        ours = set(ENGLISH_NOUN.findall(english.lower()))
        said.update(ours)
        for determiner, noun in NOUN.findall(french.lower()):
            form = noun, determiner in PLURAL
            if noun in (plurals if form[1] else singulars):
                seen[form] += 1
                met[form].update(ours)
                elided |= set() if determiner else {noun}
    found = []
    for (noun, plural), beside in sorted(met.items()):
        together = {
            word: 2 * count / (seen[noun, plural] + said[word])
            for word, count in beside.items()
            if count >= MET
        }
        best = max(sorted(together), key=together.__getitem__, default="")
        if together.get(best, 0) >= TOGETHER:
            gender = genders[plurals[noun] if plural else noun]
            article = "Les " if plural else "L'" if noun in elided else ("Le ", "La ")[gender]
            found.append(Being(f"The {best}", f"{article}{noun}", gender, plural))
    return found


def qualities(pairs: Sequence[Pair]) -> list[Quality]:
    """What is said in one word, where the corpus has the French for both genders."""
    said: dict[str, set[str]] = defaultdict(set)  # French words, by the English one
    of_him: set[str] = set()
    of_beings: Counter[str] = Counter()
    of_things: Counter[str] = Counter()
    for english, french in pairs:
        ours, theirs = ENGLISH_QUALITY.fullmatch(english), FRENCH_QUALITY.fullmatch(french)
        if not (ours and theirs):
            continue
        (who, quality), (qui, word) = ours.groups(), theirs.groups()
        if SEVERAL.match(qui):
            word = word.removesuffix("s")
        said[quality].add(word)
        if HE.match(qui):
            of_him.add(word)
        alive = who in SOMEBODY or ALIVE & set(qui.split())
        (of_beings if alive else of_things)[quality] += 1
    return [
        Quality(
            english,
            (masculine, feminine),
            of_beings=2 * of_beings[english] >= of_things[english],
            of_things=2 * of_things[english] >= of_beings[english],
        )
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
