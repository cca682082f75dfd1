"""The card of a checkpoint: its measured parts come from one command, and the words around them stay."""

import json
import shutil
from dataclasses import replace
from itertools import islice

import pytest

from model import checkpoint
from model.__main__ import main
from model.atlas.searches import searches
from model.commands import card
from model.commands import ship as shell_ship
from model.probe import HAND, contrasts
from model.probe.grammar import sentences
from model.text.treebank import read
from tests.helpers.tiny import SENTENCES, tiny_tokenizer, tiny_translator

PARTS = ("shape", "scores", "training", "causal", "roles", "beside")
CARD = "# Words\n" + "\n".join(f"before {name} <!-- {name} -->old<!-- /{name} --> after" for name in PARTS)


def test_only_the_measured_parts_change():
    filled = card.fill(CARD, {name: f"new {name}" for name in PARTS})
    assert "old" not in filled
    assert filled == CARD.replace("old", "{}").format(*(f"new {name}" for name in PARTS))
    assert card.fill(filled, {name: "old" for name in PARTS}) == CARD


@pytest.mark.parametrize("broken", ["no place", CARD + CARD])
def test_a_card_without_the_place_is_refused(broken):
    with pytest.raises(ValueError, match=r"<!-- shape -->"):
        card.fill(broken, {"shape": "x"})


@pytest.fixture(scope="module")
def shipped(tmp_path_factory):
    """A tiny checkpoint, a finished run of other weights, and the command."""
    folder = tmp_path_factory.mktemp("ship")
    for name, seed in (("now", 1), ("run", 2)):
        translator = tiny_translator(tiny_tokenizer(), length=256, seed=seed)
        checkpoint.save(folder / name, translator.model, translator.tokenizer)
    (folder / "now" / "card.md").write_text(CARD, "utf-8")
    (folder / "run" / "film.npz").write_bytes(b"film")
    log = [{"step": 0, "dev_loss": 9.5, "bleu": 0, "seconds": 0.0}]
    log += [{"step": step, "loss": 3.0, "pieces": 1_000, "seconds": 1.8 * step} for step in (1, 2_000)]
    log += [{"step": 2_000, "dev_loss": 2.5, "bleu": 30, "seconds": 3_600.0}]
    (folder / "run" / "log.jsonl").write_text("\n".join(map(json.dumps, log)), "utf-8")
    (folder / "dev.tsv").write_text("\n".join(f"{text}\t{text}" for text in SENTENCES[:6]), "utf-8")
    return folder


@pytest.mark.slow
def test_one_command_swaps_the_weights_and_makes_atlases_and_card_again(shipped, monkeypatch):
    few = {"hand": lambda: islice(read(HAND), 12), "grammar": lambda: iter(sentences(12))}
    monkeypatch.setattr(shell_ship, "PROBES", few)
    some = [replace(each, contrasts=each.contrasts[:8]) for each in contrasts.shipped("en", "fr")[:2]]
    monkeypatch.setattr(shell_ship, "phenomena_of", lambda translator: some)
    monkeypatch.setattr(shell_ship, "found_on", lambda translator: searches(translator, {"A dog.": ["Un."]}))
    treebank = shipped / "bank.conllu"
    shutil.copyfile(HAND, treebank)
    now = shipped / "now"
    asked = ["ship", "--checkpoint", str(now), "--finished", str(shipped / "run"), "--dev"]
    assert main([*asked, str(shipped / "dev.tsv"), "--treebank", str(treebank)]) == 0
    assert (now / "weights.safetensors").read_bytes() == (shipped / "run/weights.safetensors").read_bytes()
    for name, file in checkpoint.ATLASES.items():
        atlas = json.loads((now / file).read_text("utf-8"))
        assert (atlas["corpus"], atlas["sentences"]["measured"]) == (name, 12)
        assert "silenced" in atlas["heads"][0]["measures"]
        assert set(atlas.get("causal", ())) == ({each.name for each in some} if name == "hand" else set())
    found = json.loads((now / checkpoint.SEARCHES).read_text("utf-8"))
    assert set(found) == {"checkpoint", "beams", "exposure"}
    written = (now / "card.md").read_text("utf-8")
    assert "old" not in written and all(f"before {name}" in written for name in PARTS)
    assert "2,000 steps of about 1,000 target pieces, 2.0 million in all, in 1.0 hours" in written
    assert "of 2 phenomena have a head that carries them" in written
    assert "6 pairs: BLEU" in written and "verb → its subject" in written
    checkpoint.load(now)  # the sums fit all that lies there


def test_the_best_head_is_chosen_on_the_half_that_is_not_reported():
    entries = [
        {"kind": "encoder", "layer": 0, "head": head, "measures": {"rarest": {"value": value}}}
        for head, value in enumerate((0.9, 0.4))
    ]
    atlas = {"heads": entries, "best": {"encoder.rarest": [0, 1]}}
    assert card.best(atlas, "encoder", "rarest") == ("1·2", {"value": 0.4})
    assert card.best(atlas, "encoder", "antecedent") is None
