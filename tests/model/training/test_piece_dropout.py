"""The same words in other pieces."""

from random import Random

from model import load
from model.training.data import encode_pairs
from model.training.piece_dropout import PieceDropout
from tests.helpers.tiny import PAIRS, tiny_tokenizer


def test_pieces_drawn_anew_spell_the_same_words_and_depend_on_the_seed_alone():
    tokenizer = tiny_tokenizer()
    corpus, rows = encode_pairs(PAIRS, tokenizer, 50), [3, 1, 2, 5]
    draw = PieceDropout(tokenizer, 0.3)
    drawn = [draw.corpus(corpus, rows, seed, 50) for seed in (7, 7, 8)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert drawn[0].pairs == [corpus.pairs[row] for row in rows]
    assert drawn[0].sources != [corpus.sources[row] for row in rows]
    assert [tokenizer.decode(ids) for ids in drawn[0].targets] == [target for _, target in drawn[0].pairs]
    longest = max(len(ids) for row in rows for ids in (corpus.sources[row], corpus.targets[row]))
    short = PieceDropout(tokenizer, 0.9).corpus(corpus, rows, 7, longest)
    assert max(map(len, short.sources + short.targets)) <= longest


def test_without_dropout_the_pieces_are_the_usual_ones():
    translator = load("en-fr")
    texts = [text for pair in PAIRS for text in pair] + ["Élise paid 1,250 € for 北京 tea…", "I'm 30."]
    for text in texts:
        usual = list(translator.tokenizer.encode(text).ids)
        assert PieceDropout(translator.tokenizer, 0.0).ids(usual, Random(1)) == usual
