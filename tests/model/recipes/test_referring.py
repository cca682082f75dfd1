"""Words whose gender a corpus tells, and pairs made so that a pronoun stands for one of them."""

import math
import re
from collections import Counter, defaultdict

import numpy as np
import pytest

from model.recipes.corpus import Being, Quality, Thing, beings, names_one_thing, noun_genders, qualities
from model.recipes.referring import refer_pairs

FEMININE, MASCULINE = ("clé", "lampe", "chaise", "vache", "abeille"), ("sac", "tapis", "vélo", "chien")
PLURALS = {"lamps": "lampes", "bags": "sacs", "cows": "vaches"}
ENGLISH = {
    "clé": "key", "lampe": "lamp", "chaise": "chair", "sac": "bag", "tapis": "rug", "vélo": "bike",
    "vache": "cow", "abeille": "bee", "chien": "dog",
}  # fmt: skip
ALIVE = {"vache", "abeille", "chien", "vaches"}
SAID = [
    ("It's small.", "Il est petit."),
    ("It's small.", "Elle est petite."),
    ("It's red.", "Il est rouge."),
    ("You're lucky.", "Tu es chanceux."),
    ("You're lucky.", "Tu es chanceuse."),
    ("We're very tired.", "Nous sommes très fatigués."),
    ("We're very tired.", "Nous sommes très fatiguées."),
    ("She is careful.", "Elle est prudente."),  # nobody says what a careful he is
    ("We're friends.", "Nous sommes amis."),  # no quality
    ("We're friends.", "Nous sommes amies."),
]


@pytest.fixture(scope="module")
def pairs() -> list[tuple[str, str]]:
    found = list(SAID)
    for noun in (*FEMININE, *MASCULINE):
        the, a = ("la ", "une") if noun in FEMININE else ("le ", "un")
        the = "l'" if noun == "abeille" else the
        english = ENGLISH[noun]
        for who, qui, verb in (("We", "Nous", "vendons"), ("They", "Ils", "vendent"), ("You", "Tu", "vends")):
            found += [
                (f"{who} sell the {english}.", f"{qui} {verb} {the}{noun}."),
                (f"{who} sell a {english}.", f"{qui} {verb} {a} {noun}."),
                (f"{who} sell this {english}.", f"{qui} {verb} {a} {noun}."),
            ]
        if noun not in ALIVE:
            found += [(f"I lost the {english}.", f"J'ai perdu {the}{noun}.")]
            found += [(f"Tom didn't buy the {english}.", f"Tom n'a pas acheté {the}{noun}.")]
            found += [(f"He lost his {english}.", f"Il a perdu {a} {noun}.")]  # whose, if the dog lost it?
            found += [(f"We use the {english}.", f"Nous avons l'usage de {a} {noun}.")]  # nobody did anything
    for one, many in PLURALS.items():
        found += [(f"We carry the {one}.", f"Nous portons les {many}.")] * 3
    found += [("She found the bags.", "Elle a trouvé les sacs.")]
    # A verb after le and la, as a noun would stand.
    found += [("I see him.", "Je le vois."), ("I see her.", "Je la vois.")] * 4
    return found


def test_the_corpus_tells_the_gender_of_its_nouns(pairs):
    assert noun_genders(pairs) == dict.fromkeys(MASCULINE, 0) | dict.fromkeys(FEMININE, 1)


def test_one_thing_is_named_and_people_are_none(pairs):
    genders = noun_genders(pairs)
    for pair, expected in {
        ("I lost the key.", "J'ai perdu la clé."): Thing(1, False),
        ("My brother lost the key.", "Mon frère a perdu la clé."): Thing(1, False),
        ("Our teacher lost your bag.", "Notre professeur a perdu ton sac."): Thing(0, False),
        ("I lost the dog.", "J'ai perdu le chien."): Thing(0, False, alive=True),
        ("The lamps are here.", "Les lampes sont ici."): Thing(1, True),
        ("The lamp is on the rug.", "La lampe est sur le tapis."): None,
        ("Where is the lamp?", "Où est la lampe ?"): None,
        ("Nobody biked.", "Personne n'a pris le vélo."): None,  # English names nothing
    }.items():
        assert names_one_thing(pair, genders) == expected, pair
    assert names_one_thing(("I see the sea.", "Je vois la mer."), genders) is None  # of unknown gender


def test_animals_are_called_what_the_corpus_calls_them(pairs):
    assert beings(pairs, noun_genders(pairs)) == [
        Being("The bee", "L'abeille", 1, False),
        Being("The dog", "Le chien", 0, False),
        Being("The cow", "La vache", 1, False),
        Being("The cows", "Les vaches", 1, True),
    ]


def test_a_quality_is_known_in_both_genders_or_not_at_all(pairs):
    assert qualities(pairs) == [
        Quality("lucky", ("chanceux", "chanceuse"), of_things=False),
        Quality("red", ("rouge", "rouge"), of_beings=False),
        Quality("small", ("petit", "petite"), of_beings=False),
        Quality("tired", ("fatigué", "fatiguée"), of_things=False),
    ]


def test_whom_it_stands_for_tells_the_gender(pairs):
    """Somebody tired, or lucky, is the animal; whatever is small, or red, the thing beside it."""
    genders, seen = noun_genders(pairs), defaultdict(set)
    rivals, guesses = Counter(), Counter()
    singulars = {many: one for one in ENGLISH for many in (one, f"{one}s")}
    made = refer_pairs(pairs, 3_000, np.random.default_rng(1))
    assert len(made) == 3_000
    for english, french in made:
        (about,) = re.fullmatch(
            r".*?\b(?:[Ii]t|[Tt]hey)(?: is|'s| was| are|'re| were) (.*)\.", english
        ).groups()
        named, pronoun, quality = re.fullmatch(
            r"(.*?)(?:\. | parce qu'|, mais |, et )([Ii]ls?|[Ee]lles?) \w+ (.*)\.", french
        ).groups()
        about, quality = about.split()[-1], quality.split()[-1]
        nouns = re.findall(r"(l'|les?|la|une?) ?(" + "|".join(singulars) + r")\b", named.lower())
        alive = about in ("lucky", "tired")
        if len(nouns) == 2:
            rivals[alive] += 1
            looks = [(genders[singulars[noun]], article == "les") for article, noun in nouns]
            guesses[looks[0][0] != looks[1][0] and looks[0][1] == looks[1][1]] += 1
            assert [noun in ALIVE for _, noun in nouns] == [True, False]
        le, noun = nouns[0] if alive else nouns[-1]
        assert alive == (noun in ALIVE), (english, french)
        feminine, plural = genders[singulars[noun]] == 1, le == "les"
        assert pronoun.lower() == ("elle" if feminine else "il") + ("s" if plural else "")
        expected = {
            "small": ("petit", "petite"),
            "red": ("rouge", "rouge"),
            "lucky": ("chanceux", "chanceuse"),
            "tired": ("fatigué", "fatiguée"),
        }[about][feminine]
        assert quality == (expected if not plural or expected[-1] == "x" else f"{expected}s")
        seen[about].add(feminine)
    assert all(both == {True, False} for both in seen.values())
    assert sum(rivals.values()) == len(made) - math.ceil(len(made) / 3)
    assert guesses[True] > guesses[False]  # other gender, same number: only what is said tells
    assert abs(rivals[True] - rivals[False]) <= 1


def test_whoever_does_it_instead_has_the_verb_that_goes_with_it(pairs):
    made = refer_pairs(pairs, 3_000, np.random.default_rng(1))
    made = [pair for pair in made if pair[0].startswith("The ")]
    assert {("The cows lost the key", "Les vaches ont perdu la clé")} <= {
        (english[:21], french[:27]) for english, french in made
    }
    assert any(english.startswith("The dog didn't buy the rug") for english, _ in made)
    assert any(english.startswith("The dog did not buy the rug") for english, _ in made)
    for english, french in made:
        if re.match("The dog did(n't| not) buy the rug", english):
            assert french.startswith("Le chien n'a pas acheté le tapis")
        assert " his " not in english and " use " not in english


def test_text_that_names_nothing_is_refused():
    with pytest.raises(ValueError, match="must be English and French"):
        refer_pairs([("Hallo.", "안녕하세요.")] * 20, 2, np.random.default_rng(1))
