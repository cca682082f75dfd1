"""`python -m model heads`: what it takes, and what it refuses."""

import pytest

from tests.helpers.annotated import conllu
from tests.helpers.measured import read_json, run


def test_plain_text_gives_everything_but_grammar(folder, capsys):
    code, complaint = run(folder, capsys, "--text", "text.txt", "--no-silencing", "--limit", "6")
    assert code == 0, complaint
    found = read_json(folder / "out.json")
    assert found["sentences"] == {"measured": 6, "annotated": 0, "unfit": 0, "aligned": 0, "french_trees": 0}
    names = set().union(*(head["measures"] for head in found["heads"]))
    assert not any(name.startswith(("relation.", "antecedent", "aer.", "silenced")) for name in names)
    assert {"previous", "rarest", "writes", "gradient"} <= names


def test_links_from_a_file_of_their_own_are_used(folder, capsys):
    links = ["0-0 1?1"] * 36
    (folder / "links.txt").write_text("\n".join(links) + "\n")
    arguments = ("--conllu", "bank.conllu", "--alignments", "links.txt", "--no-silencing", "--limit", "4")
    assert run(folder, capsys, *arguments)[0] == 0
    assert read_json(folder / "out.json")["sentences"]["aligned"] == 4


@pytest.mark.parametrize(
    ("name", "content", "flags", "message"),
    [
        ("bad.conllu", "1\tcat\tcat\n", ["--conllu"], "line 1: 3 columns"),
        ("bad.conllu", conllu()[:-40] + "\n", ["--conllu"], "line "),
        ("bad.txt", b"fine\n\xff\n", ["--text"], "line 2: not UTF-8"),
        ("bad.txt", "fine\n" + "word " * 90 + "\n", ["--text"], "sentence 2: the text has"),
        ("bad.txt", "fine\n", ["--text"], "each half needs at least one"),
        ("bad.txt", "\n", ["--text"], "holds no sentence"),
        ("bad.txt", "0-0 1_1\n", ["--conllu", "bank.conllu", "--alignments"], "line 1: '1_1' is not a link"),
        ("bad.txt", "0-99\n", ["--conllu", "bank.conllu", "--alignments"], "line 1: the link 0-99 leaves"),
        ("bad.txt", "0-0\n", ["--conllu", "bank.conllu", "--alignments"], "line 2 is missing"),
        ("bad.txt", "0-0\n" * 60, ["--conllu", "bank.conllu", "--alignments"], "line 37: the treebank"),
        ("bad.txt", "0-0\n", ["--text", "text.txt", "--alignments"], "--alignments goes with --conllu"),
        ("bad.txt", "fine\n" * 3, ["--limit", "1", "--text"], "--limit must be at least 2"),
    ],
)  # fmt: skip
def test_a_malformed_file_is_refused_with_its_line_before_anything_is_made(
    folder, capsys, name, content, flags, message
):
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    (folder / "out.json").unlink(missing_ok=True)
    code, complaint = run(folder, capsys, *flags, name)
    assert code == 2
    assert len(complaint.splitlines()) == 1 and message in complaint
    assert not (folder / "out.json").exists()


def test_a_corpus_must_be_named(folder, capsys):
    code, complaint = run(folder, capsys)
    assert code == 2 and len(complaint.splitlines()) == 1
