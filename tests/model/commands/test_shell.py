import io
import json
import subprocess
import sys

import numpy as np
import pytest
import sacrebleu
import torch

from model import checkpoint, load
from model.__main__ import main
from model.inspect import edits_json
from model.network.hooks import hook_points
from model.recipes.distillation import distil_pairs
from tests.helpers.paths import ROOT
from tests.helpers.tiny import PAIRS, SENTENCES, tiny_tokenizer, tiny_translator, write_pairs


@pytest.fixture(scope="module")
def translator():
    return tiny_translator(tiny_tokenizer(), length=64)


@pytest.fixture(scope="module")
def folder(translator, tmp_path_factory):
    folder = tmp_path_factory.mktemp("shell") / "tiny"
    checkpoint.save(folder, translator.model, translator.tokenizer)
    return folder


@pytest.fixture
def shell(folder, capsys):
    """Run a command on the tiny checkpoint: exit code, lines of output, lines of complaint."""

    def run(*arguments: str) -> tuple[int, list[str], list[str]]:
        command, *rest = arguments
        try:
            code = main([command, "--checkpoint", str(folder), *rest])
        except SystemExit as stopped:
            code = stopped.code
        output, complaint = capsys.readouterr()
        return code, output.splitlines(), complaint.splitlines()

    return run


@pytest.fixture
def pairs(tmp_path):
    return write_pairs(tmp_path / "pairs.tsv", PAIRS[::30])


def typed(monkeypatch, content: bytes) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))


def test_sentences_are_translated_one_a_line(shell, folder):
    code, lines, complaint = shell("translate", *SENTENCES[:3])
    assert (code, complaint) == (0, [])
    assert lines == [load(folder).translate(text).text for text in SENTENCES[:3]]


def test_without_sentences_it_reads_lines(shell, monkeypatch):
    typed(monkeypatch, "\n".join(SENTENCES[:3]).encode() + b"\r\n")
    assert shell("translate") == shell("translate", *SENTENCES[:3])


def test_a_beam_is_the_librarys_beam(shell, folder):
    _, lines, _ = shell("translate", SENTENCES[0], "--beam", "3")
    assert lines == [load(folder).search(SENTENCES[0], size=3).hypotheses[0].text]


def test_scores_are_total_log_probabilities_with_the_end_token(shell, folder, pairs):
    code, lines, _ = shell("score", "--pairs", pairs)
    assert code == 0
    translator = load(folder)
    for line, (source, target) in zip(lines, PAIRS[::30], strict=True):
        ids = translator.read(target).ids
        read = torch.tensor([[1, *ids[:-1]]])
        log_probs = translator.model(torch.tensor([translator.read(source).ids]), read)[0].log_softmax(-1)
        assert float(line) == pytest.approx(log_probs[range(len(ids)), ids].sum().item(), abs=1e-4)


def test_evaluation_is_sacrebleus(shell, folder, pairs):
    code, (line,), _ = shell("evaluate", "--pairs", pairs)
    found = json.loads(line)
    assert code == 0
    assert found.keys() == {"bleu", "chrf", "signature", "sentences"}
    assert found["sentences"] == len(PAIRS[::30])
    written = [load(folder).translate(source).text for source, _ in PAIRS[::30]]
    references = [[target for _, target in PAIRS[::30]]]
    assert found["bleu"] == pytest.approx(sacrebleu.corpus_bleu(written, references).score)
    assert found["chrf"] == pytest.approx(sacrebleu.corpus_chrf(written, references).score)


def test_easier_pairs_are_the_librarys(shell, translator, pairs):
    code, lines, _ = shell("distil", "--pairs", pairs, "--beam", "2", "--near", "0")
    found = distil_pairs(translator.model, translator.tokenizer, PAIRS[::30], beam=2, near=0.0)
    assert code == 0
    assert [tuple(line.split("\t")) for line in lines] == list(found)


def test_info_lists_every_hook_point_with_its_shape(shell, translator):
    _, lines, _ = shell("info", "--hooks")
    assert dict(line.split("\t") for line in lines) == hook_points(translator.model)


def test_info_tells_the_shape(shell):
    _, lines, _ = shell("info")
    facts = dict(line.split(maxsplit=1) for line in lines if len(line.split()) > 1)
    assert facts["width"] == "32"
    assert facts["layers"] == "2"
    assert int(facts["parameters"].replace(",", "")) == 55_552


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["translate", "   "], "sentence 1: the text is blank"),
        (
            ["translate", "fine", "word " * 500],
            "sentence 2: the text has 2001 pieces and the model reads at most 64",
        ),
        (["translate", "caf\udce9"], "half a character"),
        (["translate", "fine", "--beam", "0"], "at least 1"),
        (["translate", "fine", "--beam", "many"], "invalid int value"),
        (["evaluate", "--pairs", "nowhere.tsv"], "cannot read nowhere.tsv"),
        (["evaluate"], "--pairs"),
        (["dance"], "invalid choice: 'dance'"),
        (["trace", "fine", "--out", "trace.txt"], "as .npz or .json, not 'trace.txt'"),
        (["trace", "--out", "trace.npz"], "a sentence or --file"),
        (["trace", "fine", "--out", "trace.npz", "--edits", "{"], "not valid JSON"),
        (["trace", "fine", "--out", "trace.npz", "--keep", "patern"], "a trace has no 'patern'"),
        (["trace", "fine", "--out", "/nowhere/trace.npz", "--keep", "mask"], "/nowhere/trace.npz"),
        (["trace", "--file", "nowhere.txt", "--out", "folder"], "nowhere.txt"),
        (["translate", "fine", "--checkpoint", "nowhere"], "no checkpoint 'nowhere'"),
    ],
)
def test_a_mistake_gets_one_line_and_exit_code_two(shell, arguments, message):
    code, lines, complaint = shell(*arguments)
    assert (code, lines) == (2, [])
    assert len(complaint) == 1
    assert message in complaint[0]


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"fine\n\xff\n", "line 2: not UTF-8"), (b"fine\n\nfine\n", "line 2: the text is blank")],
)
def test_a_bad_line_of_input_is_named(shell, monkeypatch, content, message):
    typed(monkeypatch, content)
    code, lines, (complaint,) = shell("translate")
    assert (code, lines) == (2, [])
    assert message in complaint


def test_a_pair_too_long_to_score_is_named(shell, tmp_path):
    path = write_pairs(tmp_path / "pairs.tsv", [("fine", "bien"), ("fine", "mot " * 100)])
    code, _, (complaint,) = shell("score", "--pairs", path)
    assert code == 2
    assert "line 2: the text has" in complaint


def test_a_trace_is_written_as_the_library_makes_it(shell, folder, tmp_path):
    edit = '{"edit": "scale", "where": "encoder.layers.1.self_attention", "head": 2, "factor": 0}'
    arguments = (SENTENCES[0], "--target", PAIRS[0][1], "--edits", edit, "--out")
    for name in ("trace.npz", "trace.json"):
        assert shell("trace", *arguments, str(tmp_path / name)) == (0, [], [])
    expected = load(folder).trace(SENTENCES[0], PAIRS[0][1], edits_json.from_json(edit))
    with np.load(tmp_path / "trace.npz", allow_pickle=False) as found:
        np.testing.assert_allclose(found["attention.cross"], expected.attention["cross"], atol=1e-6)
        assert edits_json.from_json(str(found["edits"])) == expected.edits
        written = json.loads((tmp_path / "trace.json").read_text("utf-8"))
        assert written.keys() == set(found.files)
        assert written["source.pieces"] == found["source.pieces"].tolist()


def test_every_line_of_a_text_is_traced(shell, tmp_path):
    (tmp_path / "text").write_text("\n".join(SENTENCES[:2]) + "\n", "utf-8")
    code, _, _ = shell(
        "trace", "--file", str(tmp_path / "text"), "--out", str(tmp_path / "out"), "--keep", "attention"
    )
    assert code == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["000001.npz", "000002.npz"]


def test_an_edit_that_acts_in_the_replay_only_says_so(shell, tmp_path):
    code, _, (complaint,) = shell(
        "trace", "A dog.", "--edits", '{"edit": "lift_mask"}', "--out", str(tmp_path / "a.npz")
    )
    assert code == 0
    assert "acts in the replay only" in complaint


def test_every_command_explains_itself(capsys):
    for command in ([], ["translate"], ["evaluate"], ["score"], ["distil"], ["train"], ["trace"], ["info"]):
        with pytest.raises(SystemExit) as stopped:
            main([*command, "--help"])
        assert stopped.value.code == 0
        assert "usage: python -m model" in capsys.readouterr().out


def test_it_runs_as_a_module(folder):
    done = subprocess.run(
        [sys.executable, "-m", "model", "translate", "--checkpoint", str(folder), SENTENCES[0]],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 1
