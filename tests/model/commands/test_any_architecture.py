"""Commands that read and write take every architecture; those that look at heads say that they need some."""

import json
import math

import pytest

from model import checkpoint
from model.__main__ import main
from model.checkpoint import untrained_any
from model.network.config import Config, preset
from model.rivals.rival import Rival, open_checkpoint
from model.translator import Translator
from tests.helpers.tiny import PAIRS, SENTENCES, VOCABULARY, tiny_config, tiny_tokenizer, write_pairs


def small(architecture: str) -> Config:
    return preset(architecture, vocabulary=VOCABULARY, width=16, hidden=24, layers=1, length=64)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rival") / "looks-back"
    checkpoint.save(folder, untrained_any(small("multiplicative")), tiny_tokenizer())
    return folder


def shell(capsys, *arguments: object) -> tuple[int, list[str], list[str]]:
    code = main(list(map(str, arguments)))
    output, complaint = capsys.readouterr()
    return code, output.splitlines(), complaint.splitlines()


@pytest.mark.parametrize("beam", [1, 3])
def test_it_translates(capsys, folder, beam):
    code, lines, _ = shell(capsys, "translate", *SENTENCES[:2], "--checkpoint", folder, "--beam", beam)
    rival = open_checkpoint(folder)
    assert isinstance(rival, Rival)
    assert code == 0
    assert lines == [each.text for each in rival.translate_many(SENTENCES[:2], beam=beam)]


def test_it_scores_and_is_evaluated(capsys, folder, tmp_path):
    pairs = write_pairs(tmp_path / "pairs.tsv", PAIRS[::60])
    code, lines, _ = shell(capsys, "score", "--checkpoint", folder, "--pairs", pairs)
    assert code == 0
    assert [float(line) for line in lines] == pytest.approx(
        open_checkpoint(folder).score(PAIRS[::60]), abs=1e-4
    )
    code, (line,), _ = shell(capsys, "evaluate", "--checkpoint", folder, "--pairs", pairs)
    assert code == 0 and json.loads(line)["sentences"] == len(PAIRS[::60])


def test_it_says_what_it_is(capsys, folder):
    code, lines, _ = shell(capsys, "info", "--checkpoint", folder)
    assert code == 0 and any(line.split() == ["architecture", "multiplicative"] for line in lines)


def test_who_looks_at_heads_is_told_that_there_are_none(capsys, folder, tmp_path):
    code, lines, complaint = shell(
        capsys, "trace", SENTENCES[0], "--checkpoint", folder, "--out", tmp_path / "trace.npz"
    )
    assert (code, lines) == (2, [])
    assert len(complaint) == 1 and "multiplicative network; this needs a Transformer" in complaint[0]


def test_a_transformer_is_opened_as_one(tmp_path):
    checkpoint.save(tmp_path / "tiny", checkpoint.untrained(tiny_config()), tiny_tokenizer())
    assert isinstance(open_checkpoint(tmp_path / "tiny"), Translator)


def test_checkpoints_older_than_the_choice_are_transformers():
    written = json.loads(tiny_config().to_json())
    del written["architecture"], written["kernel"]
    assert Config.from_json(json.dumps(written)) == tiny_config()


@pytest.mark.parametrize(
    ("architecture", "changes", "told"),
    [
        ("elman", {}, "architecture is one of"),
        ("additive", {"positions": "sinusoidal"}, "reads in order"),
        ("recurrent", {"hidden": 25}, "even, not 25"),
        ("convolutional", {"kernel": 4}, "odd kernel, not 4"),
        ("convolutional", {"window": 2}, "has no window"),
    ],
)
def test_a_shape_that_cannot_be_is_refused_by_name(architecture, changes, told):
    base = "additive" if architecture == "elman" else architecture
    with pytest.raises(ValueError, match=told):
        preset(base, architecture=architecture, **changes)


@pytest.mark.slow
def test_training_by_the_name_of_an_architecture_makes_a_checkpoint(capsys, tmp_path):
    pairs = write_pairs(tmp_path / "pairs.tsv", PAIRS[:40])
    out = tmp_path / "out"
    code, _, complaint = shell(
        capsys, "train", "--architecture", "convolutional", "--pairs", pairs, "--dev", pairs, "--out", out,
        "--vocabulary", VOCABULARY, "--width", 16, "--hidden", 16, "--layers", 1, "--steps", 3,
        "--evaluate-every", 3,
    )  # fmt: skip
    assert code == 0, complaint
    rival = open_checkpoint(out)
    assert rival.config.architecture == "convolutional" and rival.config.layers == 1
    assert math.isfinite(rival.score(PAIRS[:1])[0])
    assert not (out / "film.npz").exists()  # no heads to film
