"""One atlas of a tiny checkpoint over a small treebank, made once through the shell."""

import pytest

from model import checkpoint
from model.__main__ import main
from tests.helpers.annotated import conllu
from tests.helpers.measured import read_json, with_french_trees
from tests.helpers.tiny import SENTENCES, tiny_tokenizer, tiny_translator


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("atlas")
    translator = tiny_translator(tiny_tokenizer(), length=24)
    checkpoint.save(folder / "tiny", translator.model, translator.tokenizer)
    bank = with_french_trees(conllu(every=5))  # 36 sentences: two chunks
    (folder / "bank.conllu").write_text(bank, "utf-8")
    (folder / "text.txt").write_text("\n".join(SENTENCES[::20]) + "\n", "utf-8")
    return folder


@pytest.fixture(scope="module")
def atlas(folder):
    """One process over the whole treebank, through the shell."""
    run = ["heads", "--checkpoint", str(folder / "tiny"), "--conllu", str(folder / "bank.conllu")]
    run += ["--no-causal"]  # what breaks without heads has tests of its own
    assert main([*run, "--out", str(folder / "atlas.json")]) == 0
    return read_json(folder / "atlas.json")
