"""Pronouns, what they stand for, and the gender that French gives them."""

from collections import Counter

from tests.helpers.probes import GENERATED, HAND_MADE, each_sentence, gendered, pronouns


@each_sentence
def test_pronouns_stand_for_nouns(corpus):
    for sentence, word, antecedent in pronouns(corpus):
        assert sentence.upos[word] == "PRON", sentence.text
        assert sentence.upos[antecedent] in ("NOUN", "PROPN", "PRON"), sentence.text
        assert antecedent < word


def test_there_are_enough_pronouns_and_french_decides_the_gender_of_many():
    assert len(pronouns(HAND_MADE)) >= 25
    decided = Counter(french for *_, french in gendered(HAND_MADE))
    assert sum(decided.values()) >= 12
    assert set(decided) == {"il", "elle", "ils", "elles"}
    assert min(Counter(french for *_, french in gendered(GENERATED)).values()) >= 4


def test_one_adjective_moves_the_antecedent_of_some_pronouns():
    """Minimal pairs: the same words up to the last, another antecedent, another French pronoun."""
    by_opening: dict[tuple[str, ...], set[tuple[int, str]]] = {}
    for sentence, _, antecedent, french in gendered(HAND_MADE):
        by_opening.setdefault(sentence.words[:-2], set()).add((antecedent, french))
    pairs = [choices for choices in by_opening.values() if len(choices) == 2]
    assert len(pairs) >= 4
    assert all(one[0] != other[0] and one[1] != other[1] for one, other in pairs)
