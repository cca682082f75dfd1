"""From tallies to atlas.json: sums that stream, halves that do not mix, roles that hold, and the shell."""

import json
import subprocess
import sys

import numpy as np
import pytest

from model import checkpoint
from model.__main__ import main
from model.atlas.observed import make_atlas
from model.atlas.roles import LEAST, find_roles, measured
from model.atlas.sums import CHOOSE, REPORT, Sums, Tally
from model.network.kinds import KINDS
from model.text.treebank import plain, read
from tests.helpers.annotated import conllu, sentence
from tests.helpers.paths import ROOT
from tests.helpers.tiny import SENTENCES, tiny_tokenizer, tiny_translator

HEADS, EACH = 3, 4
TREES = 32  # a chunk
MEASURE = {"value", "n", "low", "high", "baseline", "null"}


def sums_of(scores, name="encoder.previous", baselines=None) -> Sums:
    """One tally a sentence: the share that each head scored of EACH rows, (sentences, HEADS)."""
    found = Sums(HEADS)
    for number, row in enumerate(np.asarray(scores)):
        rules = {
            rule: EACH * value[number % 2] for rule, value in (baselines or {"even": (0.2, 0.2)}).items()
        }
        found.add(number, {name: Tally(EACH * row, EACH, rules)})
    return found


def level(*shares, sentences=80, noise=0.05):
    dice = np.random.default_rng(0)
    return np.clip(np.array(shares) + noise * dice.standard_normal((sentences, HEADS)), 0, 1)


def test_the_halves_are_disjoint_and_together_the_corpus():
    scores = level(0.1, 0.5, 0.9)
    found = sums_of(scores)
    for half in (CHOOSE, REPORT):
        estimate = found.estimate("encoder.previous", half)
        np.testing.assert_allclose(estimate.value, scores[half::2].mean(0))
        assert estimate.n == EACH * len(scores[half::2])


def test_sums_stream_in_any_order_and_in_any_parts():
    scores = level(0.1, 0.5, 0.9, sentences=21)
    tallies = [{"encoder.self": Tally(row, 1)} for row in scores]
    forward, backward = Sums(HEADS), Sums(HEADS)
    for number in range(21):
        forward.add(number, tallies[number])
        backward.add(20 - number, tallies[20 - number])
    np.testing.assert_allclose(forward.tables["encoder.self"], backward.tables["encoder.self"])
    size = forward.tables["encoder.self"].nbytes
    forward.add(21, tallies[0])
    assert len(forward.tables) == 1 and forward.tables["encoder.self"].nbytes == size


def test_an_interval_is_as_wide_as_the_bootstrap_over_sentences_makes_it():
    dice = np.random.default_rng(1)
    scores = dice.random((800, HEADS)) < 0.5
    estimate = sums_of(scores).estimate("encoder.previous", REPORT)
    expected = 2 * 1.96 * np.sqrt(0.25 / 400)
    np.testing.assert_allclose(estimate.high - estimate.low, expected, rtol=0.25)
    assert (estimate.low < estimate.value).all() and (estimate.value < estimate.high).all()


def test_rows_of_one_sentence_are_no_independent_observations():
    few = sums_of(level(0.5, 0.5, 0.5, noise=0.3)).estimate("encoder.previous", REPORT)
    table = Sums(HEADS)
    for number, row in enumerate(level(0.5, 0.5, 0.5, noise=0.3)):
        table.add(number, {"encoder.previous": Tally(100 * row, 100)})
    many = table.estimate("encoder.previous", REPORT)
    np.testing.assert_allclose(
        many.high - many.low, few.high - few.low
    )  # a hundred rows each, the same width


def test_the_best_baseline_is_chosen_on_one_half_and_reported_on_the_other():
    found = sums_of(level(0.5, 0.5, 0.5), baselines={"offset 1": (0.6, 0.3), "offset 2": (0.4, 0.9)})
    reported = measured(found, "encoder", "previous", REPORT)
    assert reported.rule == "offset 1"
    np.testing.assert_allclose(reported.baseline, 0.3)


def test_an_offset_is_chosen_on_one_half_and_reported_on_the_other():
    found = Sums(HEADS)
    for number in range(80):
        before = np.array([1.0, 1 - number % 2, 0]) * EACH  # the second head changes its mind
        found.add(number, {"encoder.offset.-1": Tally(before, EACH, {"chance": 1.0})})
        found.add(number, {"encoder.offset.1": Tally(EACH - before, EACH, {"chance": 1.0})})
    np.testing.assert_allclose(measured(found, "encoder", "offset", REPORT).value, [1, 0, 1])
    twin = sums_of(level(0, 0, 0), "encoder.offset.-1", {"chance": (0.25, 0.25)})
    roles = find_roles(found, twin, ("encoder",)).roles
    assert [(role.number, role.role) for role in roles] == [(0, "positional"), (2, "positional")]


def test_a_role_must_hold_on_both_halves_and_clear_baseline_and_null():
    scores = level(0.8, 0.8, 0.3)
    scores[REPORT::2, 1] = 0.1  # a specialist of the choosing half only
    twin = sums_of(level(0.2, 0.2, 0.2))
    found = find_roles(sums_of(scores), twin, ("encoder",))
    assert [(role.number, role.role) for role in found.roles] == [(0, "previous")]
    assert (found.tested, found.chosen) == (HEADS, 2)
    assert not find_roles(
        sums_of(scores), sums_of(level(0.85, 0.2, 0.2)), ("encoder",)
    ).roles  # the null does it
    hard = sums_of(scores, baselines={"even": (0.9, 0.9)})
    assert not find_roles(hard, twin, ("encoder",)).roles  # a simple rule does it


def test_a_relation_must_be_ten_points_above_its_best_offset():
    name = "encoder.relation.obj.to_head"
    rules = {"offset -1": (0.5, 0.5)}
    found = sums_of(level(0.9, 0.56, 0.4, sentences=400), name, rules)
    twin = sums_of(level(0.1, 0.1, 0.1), name, rules)
    assert [role.number for role in find_roles(found, twin, ("encoder",)).roles] == [0]


def test_few_observations_make_no_role():
    few = (LEAST // EACH) * 2 - 2
    scores, twin = level(0.9, 0.9, 0.9, sentences=few), sums_of(level(0.1, 0.1, 0.1))
    assert find_roles(sums_of(scores), twin, ("encoder",)) == ([], 0, 0)


def test_of_alignment_error_less_is_better():
    found = sums_of(level(0.2, 0.6, 0.9), "cross.aer.predicted", {"diagonal": (0.5, 0.5)})
    twin = sums_of(level(0.8, 0.8, 0.8), "cross.aer.predicted", {"diagonal": (0.5, 0.5)})
    roles = find_roles(found, twin, ("cross",)).roles
    assert [(role.number, role.role) for role in roles] == [(0, "alignment.predicted")]


def test_heads_that_do_nothing_in_particular_get_no_role():
    dice = np.random.default_rng(2)
    trained, twin = (sums_of(dice.random((200, HEADS)) < 0.2) for _ in range(2))
    assert not find_roles(trained, twin, ("encoder",)).roles


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
    assert main([*run, "--out", str(folder / "atlas.json")]) == 0
    return read_json(folder / "atlas.json")


def read_json(path):
    def refuse(constant):
        raise ValueError(f"{constant} is not JSON")

    return json.loads(path.read_text("utf-8"), parse_constant=refuse)


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


def test_two_processes_give_the_numbers_of_one(folder, atlas):
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    arguments = ["--conllu", str(folder / "bank.conllu"), "--out", str(folder / "two.json")]
    command = [*torchrun, "-m", "model", "heads", "--checkpoint", str(folder / "tiny"), *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "36/36" in done.stderr
    same(read_json(folder / "two.json"), atlas)


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


def test_plain_text_gives_everything_but_grammar(folder, capsys):
    code, complaint = run(folder, capsys, "--text", "text.txt", "--no-silencing", "--limit", "6")
    assert code == 0, complaint
    found = read_json(folder / "out.json")
    assert found["sentences"] == {"measured": 6, "annotated": 0, "unfit": 0, "aligned": 0, "french_trees": 0}
    names = set().union(*(head["measures"] for head in found["heads"]))
    assert not any(name.startswith(("relation.", "antecedent", "aer.", "silenced")) for name in names)
    assert {"previous", "rarest", "writes", "gradient"} <= names


def run(folder, capsys, *arguments):
    paths = [str(folder / word) if "." in word else word for word in arguments]
    try:
        code = main(
            ["heads", "--checkpoint", str(folder / "tiny"), *paths, "--out", str(folder / "out.json")]
        )
    except SystemExit as stopped:
        code = stopped.code
    return code, capsys.readouterr().err


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
