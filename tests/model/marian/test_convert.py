"""A Marian folder as our checkpoint: the same numbers as `transformers` computes of it."""

import json

import numpy as np
import pytest
import torch

from model.decoding.search import greedy
from model.network.config import END, START
from model.text.marian import MarianTokenizer
from model.text.spelling import normalise

SHAPES = ("usual", "separate", "languages", "old")
TEXTS = ("The teacher who helped me lives near the station.", "Is she not coming?", "Three keys!")


def rows(both) -> list[int]:
    """The number that Marian gives to each piece that a translation may have, by ours."""
    pieces = both.ours.tokenizer.numbered.pieces
    name = "target_vocab.json" if (both.folder / "target_vocab.json").exists() else "vocab.json"
    vocabulary = json.loads((both.folder / name).read_text("utf-8"))
    return [vocabulary.get(piece, -1) if id != START else -1 for id, piece in enumerate(pieces)]


@pytest.mark.parametrize("name", SHAPES)
def test_logits_and_all_attentions_are_those_of_transformers(made, name):
    both = made(name)
    theirs, numbers = both.theirs, np.array(rows(both))
    source = both.their_tokenizer(">>fra<< " * (name == "languages") + TEXTS[0], return_tensors="pt")
    (found,) = greedy(both.ours.model, [both.ours.read(TEXTS[0]).ids])
    ids = found.ids[:12]
    read = torch.tensor([[theirs.config.decoder_start_token_id, *numbers[list(ids[:-1])].tolist()]])
    with torch.no_grad():
        out = theirs(**source, decoder_input_ids=read, output_attentions=True, return_dict=True)
    trace = both.ours.trace(TEXTS[0], ids, keep=["attention", "mask", "logits"])
    written = numbers >= 0
    expected = out.logits[0].numpy()[:, numbers[written]]
    np.testing.assert_allclose(trace.points["logits"][:, written], expected, atol=1e-5)
    assert np.isneginf(trace.points["logits"][:, ~written]).all()
    kinds = {
        "encoder": out.encoder_attentions,
        "decoder": out.decoder_attentions,
        "cross": out.cross_attentions,
    }
    for kind, layers in kinds.items():
        np.testing.assert_allclose(trace.attention[kind], torch.cat(layers).numpy(), atol=1e-5)
    assert all(check.passed is not False for check in trace.checks)


@pytest.mark.parametrize("name", SHAPES)
def test_greedy_translations_are_the_same(made, name):
    both, numbers = made(name), rows(made(name))
    for text in TEXTS:
        source = both.their_tokenizer(">>fra<< " * (name == "languages") + text, return_tensors="pt")
        found = both.theirs.generate(**source, num_beams=1, do_sample=False, max_new_tokens=30)
        ids = [numbers[id] for id in both.ours.translate(text).ids]
        assert found[0, 1:].tolist()[: len(ids)] == ids[:30]
        assert both.ours.model.config.depth("cross") == both.theirs.config.decoder_layers


@pytest.mark.parametrize("name", SHAPES)
def test_both_vocabularies_cut_piece_for_piece_and_read_back(made, name):
    both = made(name)
    ours, theirs = both.ours.tokenizer, both.their_tokenizer
    assert isinstance(ours, MarianTokenizer)
    for text in (*TEXTS, "Elle n'a pas vu la clé, hélas 漢字.", "  many   spaces "):
        asked = ">>fra<<" if name == "languages" else ""
        by_id = {id: piece for piece, id in theirs.encoder.items()}
        expected = [by_id[id] for id in theirs(asked + text).input_ids]
        assert list(ours.spelled(ours.encode(text).ids)) == expected
        written = theirs(text_target=text).input_ids
        cut = ours.target.encode(text).ids
        assert list(ours.target.spelled(cut)) == [theirs.decoder[id] for id in written]
        if 3 not in cut:  # an unknown sign is lost on either side, each in its own way
            read = theirs.decode(written, skip_special_tokens=True, use_source_tokenizer=False)
            assert ours.decode(cut) == read == normalise(text)


def test_quotes_that_phones_type_are_read_as_a_keyboard_has_them(made):
    tokenizer = made("usual").ours.tokenizer
    assert tokenizer.encode("It isn’t “new”…") == tokenizer.encode('It isn\'t "new"...')


def test_a_sentence_may_ask_for_another_language_than_the_usual_one(made):
    ours = made("languages").ours
    usual, asked = ours.read("Hello."), ours.read(">>ita<< Hello.")
    assert usual.pieces[0] == ">>fra<<" and asked.pieces[0] == ">>ita<<"
    assert usual.ids[1:] == asked.ids[1:] and usual.words[0] == -1
    assert ours.trace(">>ita<< Hello.").source.ids == asked.ids


def test_what_the_other_language_has_is_never_written(made):
    both = made("separate")
    sides = both.ours.tokenizer.numbered.sides
    read_only = [id for id, side in enumerate(sides) if side == 1]
    bias = both.ours.model.vocabulary_bias
    assert read_only and torch.isneginf(bias[read_only]).all() and torch.isneginf(bias[START])
    assert (
        both.ours.translate("Good morning.").ids[-1] == END
        or not both.ours.translate("Good morning.").finished
    )
