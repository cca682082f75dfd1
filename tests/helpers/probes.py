"""Our own corpora, read once, and what tests ask about their pronouns."""

from collections.abc import Sequence

import pytest

from model.probe import HAND, gender
from model.probe.grammar import sentences
from model.text.treebank import Annotated, read

HAND_MADE = list(read(HAND))
GENERATED = sentences()
BOTH = HAND_MADE + GENERATED
each_sentence = pytest.mark.parametrize("corpus", [HAND_MADE, GENERATED], ids=["hand", "grammar"])

UNIVERSAL = """acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse
    dislocated expl fixed flat goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis punct
    reparandum root vocative xcomp"""
RELATIONS = set(UNIVERSAL.split())


def is_tree(heads: Sequence[int], relations: Sequence[str]) -> bool:
    """One root, called so and alone so, that every word leads up to."""
    roots = [head == -1 for head in heads]
    if roots.count(True) != 1 or roots != [relation == "root" for relation in relations]:
        return False
    for word in range(len(heads)):
        for _ in heads:
            word = heads[word] if word != -1 else -1
        if word != -1:
            return False
    return True


def pronouns(corpus: list[Annotated]) -> list[tuple[Annotated, int, int]]:
    return [(each, *pair) for each in corpus for pair in each.antecedents.items()]


def translations(sentence: Annotated, word: int) -> list[str]:
    return [
        sentence.french_words[french]
        for english, french in sorted(sentence.alignment.sure)
        if english == word
    ]


def gendered(corpus: list[Annotated]) -> list[tuple[Annotated, int, int, str]]:
    """Pronouns that English gives no gender, and what French made of them."""
    return [(case.sentence, case.pronoun, case.antecedent, case.written) for case in gender.gendered(corpus)]
