"""Our checkpoint as a Marian folder: what `transformers` loads computes the same, and comes back the same."""

import json

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from transformers import MarianMTModel, MarianTokenizer

from model import Translator, checkpoint, load
from model.commands.shell import main
from model.decoding.search import greedy
from model.marian.convert import convert
from model.marian.export import export
from model.network.batches import pad, read_ids
from model.network.config import END, PAD, START, preset
from model.network.kinds import KINDS
from model.probe import HAND
from model.text.spelling import spell, unspell
from tests.helpers.marian import TEXTS

SENTENCES = 200


@pytest.fixture(scope="module")
def shipped() -> Translator:
    return load("en-fr")


@pytest.fixture(scope="module")
def exported(shipped, tmp_path_factory):
    """The folder of the shipped checkpoint."""
    out = tmp_path_factory.mktemp("exported") / "marian"
    export(shipped.model, shipped.tokenizer, out)
    return out


@pytest.fixture(scope="module")
def theirs(exported):
    return MarianMTModel.from_pretrained(exported, attn_implementation="eager").eval()


def test_logits_and_all_attentions_are_ours(shipped, theirs):
    trace = shipped.trace("The book that you gave me is on the table.", keep=["attention", "mask", "logits"])
    read = torch.tensor([read_ids(trace.target.predicted_ids)])
    with torch.no_grad():
        out = theirs(torch.tensor([trace.source.ids]), decoder_input_ids=read, output_attentions=True)
    np.testing.assert_allclose(trace.points["logits"], out.logits[0].numpy(), atol=1e-5)
    found = out.encoder_attentions, out.decoder_attentions, out.cross_attentions
    for kind, layers in zip(KINDS, found, strict=True):
        np.testing.assert_allclose(trace.attention[kind], torch.cat(layers).numpy(), atol=1e-5)


def test_two_hundred_sentences_have_the_same_translations(shipped, theirs):
    texts = [*TEXTS, *HAND.with_name("visitors.txt").read_text("utf-8").splitlines()]
    texts = list(dict.fromkeys(filter(str.strip, texts)))[:SENTENCES]
    assert len(texts) == SENTENCES
    sources = sorted((shipped.read(text).ids for text in texts), key=len)
    for start in range(0, SENTENCES, 40):
        some = sources[start : start + 40]
        ours, source = greedy(shipped.model, some), pad(some)
        found = theirs.generate(source, attention_mask=(source != PAD).long(), max_new_tokens=60)
        for each, row in zip(ours, found[:, 1:].tolist(), strict=True):
            assert tuple(row[: row.index(END) + 1] if END in row else row) == each.ids[:60]


def test_their_tokenizer_cuts_a_prepared_text_as_ours(shipped, exported):
    tokenizer = MarianTokenizer.from_pretrained(exported)
    for text in (*TEXTS[:60], "L'ours n'a pas dit \"non\" à l'ami.", "漢字 8€", "It didn't work."):
        ours = shipped.read(text)
        assert tuple(tokenizer(spell(shipped.calm(text))).input_ids) == ours.ids
        said = tokenizer.decode(ours.ids, skip_special_tokens=True)
        assert unspell(said) == shipped.tokenizer.decode(ours) == shipped.calm(text)


def test_the_way_there_and_back_changes_nothing(shipped, exported, tmp_path):
    convert(exported, tmp_path / "back")
    original = checkpoint.find("en-fr")
    for name in (checkpoint.WEIGHTS, checkpoint.TOKENIZER):
        assert (tmp_path / "back" / name).read_bytes() == (original / name).read_bytes()
    assert load(tmp_path / "back").config == shipped.config


@pytest.mark.parametrize("name", ["usual", "separate", "languages", "old"])
def test_what_came_from_marian_goes_back_as_it_is(made, tmp_path, name):
    ours = made(name).ours
    export(ours.model, ours.tokenizer, tmp_path / "out")
    again = MarianMTModel.from_pretrained(tmp_path / "out").eval()
    tokenizer = MarianTokenizer.from_pretrained(tmp_path / "out")
    text = "The teacher who helped me lives near the station."
    asked = ">>fra<<" if name == "languages" else ""
    source = tokenizer(asked + text, return_tensors="pt")
    assert tuple(source.input_ids[0].tolist()) == ours.read(text).ids
    found = again.generate(**source, max_new_tokens=30)[0, 1:].tolist()
    assert found == list(ours.translate(text).ids[:30])
    back = convert(tmp_path / "out", tmp_path / "back", to="fra" if asked else "")
    assert back.config == ours.config
    for key, weight in ours.model.named_parameters():
        assert torch.equal(back.weights[key].float(), weight), key
    assert back.tokenizer.numbered.pieces == ours.tokenizer.numbered.pieces


@pytest.mark.parametrize(
    ("change", "message"),
    [({"positions": "learned"}, "sinusoidal positions only"), ({"window": 3}, "within a window")],
)
def test_what_marian_has_no_place_for_is_refused_by_name(shipped, tmp_path, change, message):
    model = checkpoint.untrained(preset("tiny", **change))
    with pytest.raises(ValueError, match=message):
        export(model, shipped.tokenizer, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_shell_does_both_and_never_overwrites(tmp_path, capsys):
    ours, back = str(tmp_path / "marian"), str(tmp_path / "back")
    assert main(["export", "--to", "marian", ours]) == 0
    assert main(["convert", ours, "--out", back]) == 0
    said = capsys.readouterr().out
    assert "en → fr, 4 + 4 layers, 8 heads" in said and f"HEADLIGHT_CHECKPOINT={back}" in said
    config = json.loads((tmp_path / "marian/config.json").read_text("utf-8"))
    assert config["decoder_start_token_id"] == START and config["model_type"] == "marian"
    assert load_file(tmp_path / "marian/model.safetensors")["final_logits_bias"].shape == (1, 8000)
    assert main(["export", "--to", "marian", ours]) == 2
    assert main(["convert", ours, "--out", back]) == 2
    assert "is not empty; choose another folder" in capsys.readouterr().err
