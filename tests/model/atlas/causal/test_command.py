"""`python -m model causal` and `heads`: what they write, and what they refuse."""

import json
import subprocess
import sys

import pytest

from model import checkpoint
from model.__main__ import main
from tests.helpers.paths import ROOT
from tests.helpers.tiny import PAIRS, tiny_tokenizer, tiny_translator

WAYS = ("silenced", "mean", "uniform", "exchanged")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("causal")
    translator = tiny_translator(tiny_tokenizer(), length=48)
    checkpoint.save(folder / "tiny", translator.model, translator.tokenizer)
    rows = [
        f"{english}\t{french}\t{french.replace('voit', 'suit')}\t{english.replace('sees', 'follows')}"
        for english, french in PAIRS
        if "sees" in english
    ]
    (folder / "verbs.tsv").write_text("\n".join(rows), "utf-8")
    (folder / "text.txt").write_text("\n".join(english for english, _ in PAIRS[:6]), "utf-8")
    return folder


def run(folder, *arguments):
    command, *rest = arguments
    return main([command, "--checkpoint", str(folder / "tiny"), *rest])


def test_contrasts_of_ones_own_give_a_table_and_a_file(folder, capsys):
    out = folder / "causal.json"
    assert run(folder, "causal", str(folder / "verbs.tsv"), "--out", str(out)) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.startswith("phenomenon\trows\tgap\thead")
    assert all(line.startswith("verbs\t") for line in lines)
    told = json.loads(out.read_text("utf-8"))["causal"]["verbs"]
    assert 0 < told["rows"] <= told["given"] == 60
    assert told["gap"] > 0
    assert len(told["heads"]) == 3 * 2 * 4
    for entry in told["heads"]:
        assert {"kind", "layer", "head", *WAYS, "flips", "specificity", "role"} <= entry.keys()
        if entry["role"]:  # an untrained model may carry something by chance, but never without evidence
            assert entry["silenced"]["high"] < 0
    assert len(told["sublayers"]) == 2 * (2 + 3)


def test_heads_writes_it_into_the_atlas(folder):
    out = folder / "atlas.json"
    asked = ["--text", str(folder / "text.txt"), "--contrasts", str(folder / "verbs.tsv"), "--out", str(out)]
    assert run(folder, "heads", *asked) == 0
    found = json.loads(out.read_text("utf-8"))
    assert set(found["causal"]) == {"verbs"}
    heads, tried = found["causal"]["verbs"]["heads"], found["causal_method"]["hypotheses"]
    assert tried["held"] == sum(entry["role"] for entry in heads) <= tried["chosen"] <= tried["tested"]
    assert tried["tested"] in (0, len(heads))  # all heads, or none where too few rows count
    assert run(folder, "heads", *asked, "--no-causal") == 0
    assert "causal" not in json.loads(out.read_text("utf-8"))


@pytest.mark.parametrize(
    ("content", "complaint"),
    [("A b.\tx\n", "line 1: 2 columns"), ("A b.\tx\tx\n", "line 1: the right and the wrong")],
)
def test_a_malformed_file_is_refused_in_one_line(folder, capsys, content, complaint):
    (folder / "bad.tsv").write_text(content, "utf-8")
    assert run(folder, "causal", str(folder / "bad.tsv")) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert complaint in line


def test_two_files_of_one_name_are_refused(folder, capsys):
    assert run(folder, "causal", *[str(folder / "verbs.tsv")] * 2) == 2
    assert "the same name" in capsys.readouterr().err


def test_a_checkpoint_of_other_languages_says_that_nothing_is_asked(tmp_path, capsys):
    translator = tiny_translator(tiny_tokenizer(), source="ko", target="en")
    checkpoint.save(tmp_path / "tiny", translator.model, translator.tokenizer)
    assert run(tmp_path, "causal") == 2
    assert "no contrasts ship for ko to en" in capsys.readouterr().err


@pytest.mark.slow
def test_two_processes_give_the_numbers_of_one(folder):
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    asked = ["causal", str(folder / "verbs.tsv"), "--checkpoint", str(folder / "tiny"), "--out"]
    assert main([*asked, str(folder / "one.json")]) == 0
    command = [*torchrun, "-m", "model", *asked, str(folder / "two.json")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    one, two = (json.loads((folder / f"{name}.json").read_text("utf-8")) for name in ("one", "two"))
    for entry, other in zip(one["causal"]["verbs"]["heads"], two["causal"]["verbs"]["heads"], strict=True):
        for way in WAYS:
            for part in ("value", "low", "high", "n"):
                if entry[way] is not None:
                    assert entry[way][part] == pytest.approx(other[way][part], rel=1e-3, abs=1e-4)
        assert entry["role"] == other["role"]
