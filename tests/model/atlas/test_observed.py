"""The finished atlas: its form, its numbers, however it was made."""

import json
import subprocess
import sys

import pytest

from model.atlas.observed import make_atlas
from model.atlas.sums import REPORT
from model.commands.heads import plain
from model.network.kinds import KINDS
from model.text.treebank import read
from tests.helpers.annotated import sentence
from tests.helpers.measured import TREES, read_json, same
from tests.helpers.paths import ROOT
from tests.helpers.tiny import SENTENCES, tiny_tokenizer, tiny_translator

MEASURE = {"value", "n", "low", "high", "baseline", "null"}


def test_the_file_has_the_promised_form(atlas):
    assert (atlas["checkpoint"], atlas["corpus"]) == ("tiny", "bank.conllu")
    assert [(head["kind"], head["layer"], head["head"]) for head in atlas["heads"]] == [
        (kind, layer, head) for kind in KINDS for layer in range(2) for head in range(4)
    ]
    for head in atlas["heads"]:
        assert head.keys() == {"kind", "layer", "head", "measures", "roles"}
        for name, measure in head["measures"].items():
            assert measure.keys() == MEASURE, name
            assert measure["n"] > 0 and measure["null"] is not None
            assert measure["low"] <= measure["high"]
        assert {"offset", "special", "entropy", "silenced", "gradient", "writes"} <= head["measures"].keys()
        named = {(role["kind"], role["layer"], role["head"], role["role"]) for role in atlas["evidence"]}
        assert all((head["kind"], head["layer"], head["head"], role) in named for role in head["roles"])
    encoder, cross = atlas["heads"][0]["measures"], atlas["heads"][-1]["measures"]
    assert "relation.dep.to_head" in encoder and "aer.read.norm" in cross and "previous" not in cross
    counted = {"measured": 36, "annotated": 36, "unfit": 0, "aligned": 18, "french_trees": TREES}
    assert atlas["sentences"] == counted
    assert atlas["hypotheses"].keys() == {"tested", "chosen", "held"}
    assert sorted(atlas["similar"]["decoder"]["order"]) == list(range(8))


def test_a_chain_of_words_is_the_offset_before(atlas):
    """Every word hangs on the one before it, so that offset is a perfect baseline and no head gets a role."""
    for head in atlas["heads"][:16]:
        assert head["measures"]["relation.dep.to_head"]["baseline"] == 1
        assert "relation.dep.to_head" not in head["roles"]
    for kind in ("encoder", "decoder"):
        assert atlas["baselines"][f"{kind}.relation.dep.to_head"] == "offset -1"


def test_decoder_heads_are_asked_where_the_french_has_a_tree(folder, atlas):
    trees = list(read(folder / "bank.conllu"))[REPORT:TREES:2]
    asked = sum(len(each.french_words) - 2 for each in trees)  # the first two have no choice
    for head in atlas["heads"][8:16]:
        measure = head["measures"]["relation.dep.to_head"]
        assert measure["n"] == asked and measure["null"] is not None
        assert "relation.dep.to_dependent" not in head["measures"]  # all of them come later
    assert not any(name.startswith("relation.") for head in atlas["heads"][16:] for name in head["measures"])


@pytest.mark.slow
def test_two_processes_give_the_numbers_of_one(folder, atlas):
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    arguments = ["--conllu", str(folder / "bank.conllu"), "--out", str(folder / "two.json"), "--no-causal"]
    command = [*torchrun, "-m", "model", "heads", "--checkpoint", str(folder / "tiny"), *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "36/36" in done.stderr
    same(read_json(folder / "two.json"), atlas)


def test_chunks_change_nothing_and_progress_can_stop_it(folder):
    translator = tiny_translator(tiny_tokenizer(), length=24)
    sentences = list(read(folder / "bank.conllu"))[:12]
    whole, parts = (
        make_atlas(translator, sentences, "x", silencing=False, chunk=size)["heads"] for size in (12, 5)
    )
    for one, other in zip(whole, parts, strict=True):
        for name in ("entropy", "writes", "gradient"):
            same(one["measures"][name], other["measures"][name], name)

    def stop(done):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        make_atlas(translator, map(plain, SENTENCES[:4]), "x", progress=stop)


def test_the_shortest_sentences_are_measured_too():
    translator = tiny_translator(tiny_tokenizer(), length=24)
    found = make_atlas(translator, [sentence("No"), sentence("A cat"), plain("I"), plain(".")], "x")
    assert found["sentences"] == {"measured": 4, "annotated": 2, "unfit": 0, "aligned": 0, "french_trees": 0}
    json.dumps(found, allow_nan=False)
