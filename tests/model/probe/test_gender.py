"""Whether a model gives pronouns the right gender."""

import numpy as np
import pytest

from model import Translator
from model.probe import HAND
from model.probe.gender import gender_score, gendered, prefers
from model.text.treebank import read


def test_a_pronoun_is_judged_after_the_same_beginning(translator: Translator):
    """The preference is the difference of the two pieces' log-probabilities at the first row that differs."""
    case = next(case for case in gendered(read(HAND)) if case.feminine)
    right = translator.read(case.sentence.french)
    wrong = translator.read(case.other)
    row = next(n for n, (a, b) in enumerate(zip(right.ids, wrong.ids, strict=False)) if a != b)
    source = case.sentence.text
    this = translator.trace(source, right.ids[: row + 1]).log_probs[row]
    that = translator.trace(source, (*right.ids[:row], wrong.ids[row])).log_probs[row]
    assert prefers(translator, case) == pytest.approx(float(this - that), abs=1e-4)


def test_genders_are_counted_one_by_one(translator: Translator):
    corpus = list(read(HAND))
    score = gender_score(translator, corpus)
    preferred = np.array([prefers(translator, case) > 0 for case in gendered(corpus)])
    feminine = np.array([case.feminine for case in gendered(corpus)])
    assert score == (preferred.sum(), len(preferred), preferred[feminine].sum(), feminine.sum())
    assert 0 < feminine.sum() < len(feminine)
