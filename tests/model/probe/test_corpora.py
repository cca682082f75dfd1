"""Both corpora: how many sentences, why each is there, and that words, texts and links fit."""

from collections import Counter

from model import Translator
from model.probe import REASONS
from model.text.french import french_text
from model.text.treebank import french_pieces, pieces_of_words
from tests.helpers.probes import BOTH, GENERATED, HAND_MADE, each_sentence


def test_there_are_as_many_sentences_as_promised():
    assert len(HAND_MADE) >= 120
    assert len(GENERATED) == 600
    assert sum(bool(each.alignment) for each in HAND_MADE) >= 60
    assert len({each.text for each in BOTH}) == len({each.id for each in BOTH}) == len(BOTH)


def test_every_sentence_is_there_for_a_reason():
    reasons = Counter(each.reason for each in HAND_MADE)
    assert set(reasons) == set(REASONS) and min(reasons.values()) >= 4
    assert {each.reason for each in GENERATED} <= set(REASONS)


@each_sentence
def test_texts_are_what_their_words_spell(corpus):
    for each in corpus:
        spelled = zip(each.words, each.spaces_after, strict=True)
        assert "".join(word + " " * space for word, space in spelled).strip() == each.text
        assert french_text(each.french_words) == each.french
        assert 4 <= sum(upos != "PUNCT" for upos in each.upos) <= 16, each.text


@each_sentence
def test_links_stay_inside_the_sentence_and_full_stops_are_linked(corpus):
    for each in corpus:
        last = len(each.words) - 1, len(each.french_words) - 1
        links = each.alignment.sure | each.alignment.possible
        assert last in each.alignment.sure
        assert not each.alignment.sure & each.alignment.possible
        assert all(0 <= english <= last[0] and 0 <= french <= last[1] for english, french in links)
        assert {english for english, _ in links} == set(range(last[0] + 1)), each.text


def test_every_sentence_fits_the_model(translator: Translator):
    for each in BOTH:
        tokens = translator.read(each.text)
        assert len(tokens.ids) <= translator.config.length
        assert pieces_of_words(each, tokens), each.text
        assert french_pieces(each, translator.read(each.french)), each.french
