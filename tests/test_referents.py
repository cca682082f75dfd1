"""Pairs made so that a pronoun stands for something: the thing alone tells its gender."""

import re
from collections import defaultdict

import pytest

from model.referents import Quality, Thing, names_one_thing, noun_genders, qualities, refer_pairs

FEMININE, MASCULINE = ("clé", "lampe", "chaise"), ("sac", "tapis", "vélo")
PLURALS = {"lamps": "lampes", "bags": "sacs"}
ENGLISH = {"clé": "key", "lampe": "lamp", "chaise": "chair", "sac": "bag", "tapis": "rug", "vélo": "bike"}
SAID = [
    ("I'm small.", "Je suis petit."),
    ("I'm small.", "Je suis petite."),
    ("It's red.", "Il est rouge."),
    ("You're lucky.", "Tu es chanceux."),
    ("You're lucky.", "Tu es chanceuse."),
    ("She is careful.", "Elle est prudente."),  # nobody says what a careful he is
]


@pytest.fixture(scope="module")
def pairs() -> list[tuple[str, str]]:
    found = list(SAID)
    for noun in (*FEMININE, *MASCULINE):
        the, a = ("la", "une") if noun in FEMININE else ("le", "un")
        english = ENGLISH[noun]
        for who, qui in (("We", "Nous"), ("They", "Ils")):
            verb = "vendons" if qui == "Nous" else "vendent"
            found += [
                (f"{who} sell the {english}.", f"{qui} {verb} {the} {noun}."),
                (f"{who} sell a {english}.", f"{qui} {verb} {a} {noun}."),
            ]
    found += [(f"We carry the {one}.", f"Nous portons les {many}.") for one, many in PLURALS.items()]
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
        ("The lamps are here.", "Les lampes sont ici."): Thing(1, True),
        ("The lamp is on the rug.", "La lampe est sur le tapis."): None,
        ("Where is the lamp?", "Où est la lampe ?"): None,
        ("Nobody biked.", "Personne n'a pris le vélo."): None,  # English names nothing
    }.items():
        assert names_one_thing(pair, genders) == expected, pair
    assert names_one_thing(("I see the sea.", "Je vois la mer."), genders) is None  # of unknown gender


def test_a_quality_is_known_in_both_genders_or_not_at_all(pairs):
    assert qualities(pairs) == [
        Quality("lucky", ("chanceux", "chanceuse")),
        Quality("red", ("rouge", "rouge")),
        Quality("small", ("petit", "petite")),
    ]


def test_only_the_thing_tells_the_gender(pairs):
    genders, seen = noun_genders(pairs), defaultdict(set)
    made = list(refer_pairs(pairs, 40, seed=1))
    assert len(made) == 40 * len(pairs)
    for english, french in made:
        about, le, noun, pronoun, quality = (
            re.fullmatch(r".*?\b(?:[Ii]t|[Tt]hey)(?: is|'s| was| are|'re| were) (.*)\.", english).groups()
            + re.fullmatch(
                r".*?\b(les?|la|une?) (\w+)(?:\. | parce qu'|, mais )([Ii]ls?|[Ee]lles?) \w+ (.*)\.", french
            ).groups()
        )
        feminine, plural = genders.get(noun, genders.get(noun.removesuffix("s"))) == 1, le == "les"
        assert pronoun.lower() == ("elle" if feminine else "il") + ("s" if plural else "")
        word = quality.split()[-1]
        expected = {
            "small": "petite" if feminine else "petit",
            "red": "rouge",
            "lucky": "chanceuse" if feminine else "chanceux",
        }[about.split()[-1]]
        assert word == (expected if not plural or expected[-1] == "x" else f"{expected}s")
        seen[about, plural].add(feminine)
    assert all(genders == {True, False} for genders in seen.values())
    counts = [
        sum(f" {word} " in french.lower().replace("qu'", "qu' ") for _, french in made)
        for word in ("il", "elle")
    ]
    assert counts[0] == counts[1]


def test_the_same_seed_makes_the_same_pairs(pairs):
    assert list(refer_pairs(pairs, 0.5, seed=3)) == list(refer_pairs(pairs, 0.5, seed=3))
    assert list(refer_pairs(pairs, 0.5, seed=3)) != list(refer_pairs(pairs, 0.5, seed=4))
    assert list(refer_pairs(pairs, 0, seed=3)) == []


def test_text_that_names_nothing_is_refused():
    with pytest.raises(ValueError, match="must be English and French"):
        list(refer_pairs([("Hallo.", "안녕하세요.")] * 20, 0.1, seed=1))
