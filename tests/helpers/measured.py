"""A small treebank, the command that measures heads on it, and how to compare what it wrote."""

import json

import pytest

from model.__main__ import main

TREES = 32  # a chunk


def with_french_trees(treebank: str) -> str:
    """Chains for the French of the first sentences too: of two processes, only the first meets them."""
    blocks = treebank.split("\n\n")
    for number, block in enumerate(blocks[:TREES]):
        words = next(line for line in block.splitlines() if line.startswith("# words_fr"))
        count = len(words.partition("=")[2].split())
        heads, relations = " ".join(map(str, range(count))), " ".join(["root", *["dep"] * (count - 1)])
        tree = f"{words}\n# heads_fr = {heads}\n# relations_fr = {relations}"
        blocks[number] = block.replace(words, tree)
    return "\n\n".join(blocks)


def read_json(path):
    def refuse(constant):
        raise ValueError(f"{constant} is not JSON")

    return json.loads(path.read_text("utf-8"), parse_constant=refuse)


def same(one, other, path=""):
    if isinstance(one, dict):
        assert one.keys() == other.keys(), path
        for name in one:
            same(one[name], other[name], f"{path}.{name}")
    elif isinstance(one, list):
        assert len(one) == len(other), path
        for place, pair in enumerate(zip(one, other, strict=True)):
            same(*pair, f"{path}[{place}]")
    elif isinstance(one, float):
        assert one == pytest.approx(other, rel=2e-5, abs=1e-6), path
    else:
        assert one == other, path


def run(folder, capsys, *arguments):
    paths = [str(folder / word) if "." in word else word for word in arguments]
    try:
        code = main(
            ["heads", "--checkpoint", str(folder / "tiny"), *paths, "--out", str(folder / "out.json")]
        )
    except SystemExit as stopped:
        code = stopped.code
    return code, capsys.readouterr().err
