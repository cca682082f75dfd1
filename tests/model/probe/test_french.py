"""The French of both corpora: split, elided and contracted by rule."""

from itertools import pairwise

from tests.helpers.probes import each_sentence

ASPIRATED = ("hautes", "hérisson", "huit")
ELIDING = ("le", "la", "de", "ne", "que", "je", "me", "te", "se")


@each_sentence
def test_french_words_are_split_by_the_rule(corpus):
    for each in corpus:
        for word in each.french_words:
            assert word in (",", ".", "?") or not set(word) & set(" ,.;:?!"), word
            assert "'" not in word[:-1] or word == "aujourd'hui", word


@each_sentence
def test_french_elides_and_contracts(corpus):
    for each in corpus:
        for word, after in pairwise(each.french_words):
            vowel = after[0].lower() in "aeiouyéèêâîôœh" and after not in ASPIRATED
            assert not (vowel and word.lower() in ELIDING), each.french
            assert vowel or not word.endswith("'"), each.french
            assert (word.lower(), after) not in {("de", "le"), ("de", "les"), ("à", "le"), ("à", "les")}, (
                each.french
            )
