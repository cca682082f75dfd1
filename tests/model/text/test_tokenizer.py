import io
import re
import unicodedata

import pytest
import sentencepiece
from hypothesis import given
from hypothesis import strategies as st

from model.network.config import END
from model.text.spelling import INNER, SILENT, SPACE, BrokenText, normalise, spell
from model.text.tokenizer import BYTE, BlankText, TextTooLong, Tokenizer
from model.text.vocabulary import TYPED, train_tokenizer
from tests.helpers.tiny import PAIRS, SENTENCES, VOCABULARY, tiny_tokenizer

tokenizer = tiny_tokenizer()
ANY_TEXT = st.text(max_size=60)
# Spaces, apostrophes, SentencePiece's own marks and the special tokens' spelling, in any order.
AWKWARD = st.lists(
    st.sampled_from([" ", "\t", "\u00a0", "\u3000", "’", "‘", "'", "▁", "<s>", "</s>", "<unk>", "<0x41>",
                     "<pad>", "é", "e\u0301", "안녕", "각", "🙂", "\x00", "\u200b", "a", ".", "l'",
                     "qu'", "n't", "'s", "D'", "'LL", "\ua78b", "\ua78c", "aujourd'hui",
                     "couldn't've", " n't", " 's", "l' "]), max_size=20,
).map("".join)  # fmt: skip


def seen(text: str) -> bool:
    try:
        tokenizer.encode(text)
    except BlankText:
        return False
    return True


@given(ANY_TEXT | AWKWARD)
def test_decoding_what_was_encoded_gives_the_normalised_text(text):
    if seen(text):
        tokens = tokenizer.encode(text)
        assert tokenizer.decode(tokens) == normalise(text)
        assert tokenizer.decode(tokens.ids) == normalise(text)


@given(ANY_TEXT | AWKWARD)
def test_normalising_twice_changes_nothing(text):
    once = normalise(text)
    assert normalise(once) == once
    assert unicodedata.is_normalized("NFC", once)


@given(ANY_TEXT | AWKWARD)
def test_every_piece_belongs_to_one_word_between_spaces(text):
    if not seen(text):
        return
    tokens = tokenizer.encode(text)
    assert tokens.ids[-1] == END
    assert tokens.words[-1] == -1
    assert len(tokens.ids) == len(tokens.pieces) == len(tokens.words)
    spelled = {}
    for id, word in zip(tokens.ids[:-1], tokens.words[:-1], strict=True):
        spelled.setdefault(word, []).append(id)
    assert list(spelled) == list(range(len(spelled)))
    assert [tokenizer.decode(ids).strip() for ids in spelled.values()] == normalise(text).split(" ")


@given(ANY_TEXT | AWKWARD)
def test_the_pieces_spell_the_text(text):
    if seen(text):
        pieces = tokenizer.encode(text).pieces[:-1]
        spelled = b"".join(
            bytes.fromhex(piece[3:5]) if re.fullmatch("<0x..>", piece) else piece.encode() for piece in pieces
        )
        assert spelled.decode().replace(SPACE, " ").removeprefix(" ") == normalise(text)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("l'été", ["l'", "été"]),
        ("Jusqu'ici", ["Jusqu'", "ici"]),
        ("didn't", ["did", "n't"]),
        ("Tom's", ["Tom", "'s"]),
        ("couldn't've", ["could", "n't", "'ve"]),
        ("aujourd'hui", ["aujourd'hui"]),
        ("'s", ["'s"]),
    ],
)
def test_elided_words_and_clitics_stand_apart(text, parts):
    marked = spell(text).translate(str.maketrans({INNER: "'", SILENT: ""}))
    assert marked.split() == parts
    assert set(tokenizer.encode(f"{text} a").words) == {0, 1, -1}  # and yet they are one word


def test_a_noun_is_the_same_after_an_elided_article():
    alone, elided = tokenizer.ids(["été", "l'été"])
    assert elided[-len(alone) :] == alone
    assert tokenizer.choices(elided)[-len(alone)] == tokenizer.encode("été").pieces[0]
    assert tokenizer.encode("l'été").pieces[-len(alone) - 1] == tokenizer.encode("été").pieces[0].lstrip(
        SPACE
    )


@pytest.mark.parametrize("text", ["L'", "Je pense qu'"])
def test_a_beginning_that_ends_in_an_elided_word_goes_on_as_the_whole_does(text):
    begun, whole = tokenizer.ids([text, f"{text}été"])
    assert whole[: len(begun)] == begun
    assert tokenizer.decode(begun) == text


def test_a_vocabulary_without_the_marks_reads_apostrophes_as_they_are():
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["l'été n'est pas là", "it isn't"] * 9), model_writer=model, vocab_size=290,
        byte_fallback=True, model_type="bpe", normalization_rule_name="identity", minloglevel=2,
        pad_id=0, bos_id=1, eos_id=2, unk_id=3, pad_piece="<pad>",
    )  # fmt: skip
    plain = Tokenizer(model.getvalue())
    for text in ("l'été n'est pas là", "it isn't so"):
        assert plain.decode(plain.encode(text)) == text
        assert max(plain.encode(text).words) + 1 == len(text.split())
    assert "'" in plain.encode("l'été").pieces


def test_whatever_is_typed_has_a_piece_of_its_own():
    """Also what the text to learn from never says: "8 & 7 % €" must not be spelled in bytes."""
    learned = train_tokenizer((text for pair in PAIRS for text in pair), 600)
    for text in ("8 & 7 % €", TYPED, " ".join(TYPED)):
        assert learned.decode(learned.encode(text)) == text
        assert not any(map(BYTE.fullmatch, learned.encode(text).pieces))
    assert "<0x" in "".join(tokenizer.encode("8 & 7 % €").pieces)  # a tiny vocabulary has no room for them


def test_korean_words_are_what_stands_between_spaces():
    tokens = tokenizer.encode("나는 어제 학교에 갔습니다.")
    assert max(tokens.words) + 1 == 4


def test_curly_and_straight_apostrophes_are_one():
    assert tokenizer.encode("l’été").ids == tokenizer.encode("l'été").ids


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\u200b", "\u3000 \u00a0", "▁"])
def test_blank_text_is_refused(text):
    with pytest.raises(BlankText, match="blank"):
        tokenizer.encode(text)


@pytest.mark.parametrize("text", ["\ud800", "word \udfff"])
def test_half_a_character_is_refused(text):
    with pytest.raises(BrokenText, match="surrogate"):
        tokenizer.encode(text)


def test_too_long_a_text_is_refused_with_both_numbers():
    pieces = len(tokenizer.encode(SENTENCES[0]).ids)
    assert tokenizer.encode(SENTENCES[0], pieces)
    with pytest.raises(TextTooLong, match=rf"{pieces} pieces .* at most {pieces - 1}"):
        tokenizer.encode(SENTENCES[0], pieces - 1)


def test_a_vocabulary_survives_its_bytes():
    again = Tokenizer(tokenizer.model)
    assert len(again) == VOCABULARY
    assert all(again.encode(text) == tokenizer.encode(text) for text in SENTENCES[:20])


def test_bytes_that_are_no_vocabulary_are_refused():
    with pytest.raises(ValueError, match="not a SentencePiece model"):
        Tokenizer(b"not a model")
