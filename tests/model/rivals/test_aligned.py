"""Pointing from word to word: right where a map looks where people have linked, and named by its place."""

from types import SimpleNamespace

import numpy as np

from model.probe.corpora import PROBES
from model.rivals.aligned import aligned, linked, pointed
from model.text.treebank import french_pieces, pieces_of_words
from tests.helpers.rivals import tiny_rivals

SENTENCES = [each for each in PROBES["hand"]() if each.alignment][:6]


def pointing(rival, place: tuple[int, int], sure: float):
    """A network that looks at nothing, but for one head that looks where people have linked."""

    def trace(text: str, target: str):
        (sentence,) = [each for each in SENTENCES if each.text == text]
        real = rival.trace(text, target)
        source, words = pieces_of_words(sentence, real.source), french_pieces(sentence, rival.read(target))
        looks = np.full((2, 3, len(rival.read(target).ids), len(real.source.ids)), 1e-3)
        looks[..., -1] = 1.0
        for at, to in linked(sentence.alignment, len(words)).items():
            for row in words[at]:
                looks[(*place, row, source[min(to)][0])] = sure
        return SimpleNamespace(attention=looks, source=real.source)

    return SimpleNamespace(trace=trace, read=rival.read, tokenizer=rival.tokenizer)


def test_the_head_that_points_as_people_do_is_found():
    rival = tiny_rivals()["additive"]
    found = aligned(pointing(rival, (1, 2), 2.0), SENTENCES)
    assert (found["layer"], found["head"], found["share"]) == (1, 2, 1.0)
    linked_words = sum(
        len(linked(each.alignment, len(each.french_words))) for each in SENTENCES if each.french_words
    )
    assert 0 < found["words"] <= linked_words and 0 < found["diagonal"] < 1
    assert aligned(pointing(rival, (1, 2), 0.0), SENTENCES)["share"] < 0.5


def test_without_attention_nothing_points():
    assert aligned(tiny_rivals()["recurrent"], SENTENCES) is None


def test_a_word_points_where_its_pieces_look_together():
    attention = np.array([[[[0.5, 0.3, 0.2], [0.1, 0.6, 0.3], [0.0, 0.0, 1.0]]]])
    assert pointed(attention, [[0], [1, 2]], [[0, 1], [2]]).tolist() == [[[1, 1]]]
    assert pointed(attention, [[0, 1], [2]], [[0, 1], [2]]).tolist() == [[[0, 1]]]
