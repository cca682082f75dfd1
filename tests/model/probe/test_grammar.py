"""Sentences of the grammar: repeatable, and in agreement."""

from collections import Counter
from itertools import pairwise

import pytest

from model.probe import grammar
from model.probe.grammar import sentences
from model.probe.lexicon import ANIMALS, COLOURS, OF_ANIMATES, OF_THINGS, PEOPLE, THINGS
from model.text.treebank import Annotated
from tests.helpers.probes import GENERATED, gendered, translations


def test_the_grammar_gives_the_same_sentences_for_the_same_seed():
    assert sentences() == GENERATED
    assert sentences(50) == GENERATED[:50]
    assert {each.text for each in sentences(50, seed=1)} != {each.text for each in sentences(50)}


def test_a_grammar_that_runs_dry_says_so(monkeypatch):
    monkeypatch.setattr(grammar, "TEMPLATES", (grammar.where,))
    with pytest.raises(ValueError, match="ran dry after .* of 1000 sentences"):
        sentences(1000)


def test_every_generated_article_agrees_with_its_noun():
    nouns = [(noun.french, noun.feminine, False) for noun in PEOPLE + ANIMALS + THINGS]
    nouns += [(noun.french_many, noun.feminine, True) for noun in PEOPLE + ANIMALS + THINGS]
    articles = {"le": (False, False), "la": (True, False), "du": (False, False)}
    known = {(form, *features) for form, *features in nouns}
    seen = 0
    for each in GENERATED:
        words = [word.lower() for word in each.french_words]
        for article, noun in pairwise(words):
            if article in articles:
                assert (noun, *articles[article]) in known, each.french
                seen += 1
            elif article in ("les", "des") and noun not in ("deux", "trois", "quatre", "cinq", "six", "sept",
                                                            "huit", "neuf", "dix", "vingt"):  # fmt: skip
                assert any(known_noun[0] == noun and known_noun[2] for known_noun in known), each.french
                seen += 1
    assert seen > len(GENERATED)


def test_every_generated_adjective_and_pronoun_agrees_with_what_it_describes():
    lexicon = {noun.one: noun for noun in PEOPLE + ANIMALS + THINGS}
    adjectives = {each.english: each for each in COLOURS + OF_THINGS + OF_ANIMATES}
    for each in GENERATED:
        for word, form in enumerate(each.words):
            if each.upos[word] != "ADJ":
                continue
            subject = _described(each, word)
            noun = lexicon[each.lemmas[subject]]
            joined = [lexicon[each.lemmas[other]] for other, head in enumerate(each.heads)
                      if head == subject and each.relations[other] == "conj"]  # fmt: skip
            feminine = all(one.feminine for one in (noun, *joined))
            plural = bool(joined) or each.words[subject] == noun.many
            assert translations(each, word) == [adjectives[form].agreeing(feminine, plural)], each.french
    for sentence, _, antecedent, french in gendered(GENERATED):
        assert french.startswith("elle") == lexicon[sentence.lemmas[antecedent]].feminine, sentence.french


def _described(sentence: Annotated, adjective: int) -> int:
    if sentence.relations[adjective] == "amod":
        return sentence.heads[adjective]
    subject = next(
        word
        for word, head in enumerate(sentence.heads)
        if head == adjective and sentence.relations[word] == "nsubj"
    )
    return sentence.antecedents.get(subject, subject)


def test_every_template_is_used_about_equally():
    reasons = Counter(each.reason for each in GENERATED)
    assert len(reasons) >= 8 and min(reasons.values()) >= 30
