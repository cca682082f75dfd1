"""The film of training: its moments, its labels, and the weights of its last frame."""

import json
import shutil

import numpy as np
import pytest

from model import load
from model.network.kinds import KINDS
from model.training.data import encode_pairs, read_pairs
from model.training.evaluation import dev_loss
from model.training.film import LONGEST, SENTENCES, choose_sentences, moments, read_film, take_frame
from tests.helpers.tiny import PAIRS, tiny_tokenizer
from tests.helpers.training import STEPS, command, run

pytestmark = pytest.mark.slow  # whole runs of training


def test_the_films_last_frame_is_the_weights_that_ship(finished):
    out = finished[0] / "out"
    film, translator = read_film(out / "film.npz"), load(out)
    assert film["steps"].tolist() == moments(STEPS)
    pairs = list(zip(film["sources"].tolist(), film["references"].tolist(), strict=True))
    frame = take_frame(translator.model, translator.tokenizer, pairs)
    assert all(np.array_equal(film[name][-1], frame[name]) for name in frame)
    dev = encode_pairs(PAIRS[:6], translator.tokenizer, 512)
    assert film["dev_losses"][-1] == pytest.approx(dev_loss(translator.model, dev), abs=1e-6)


def test_the_log_tells_the_scores_of_every_frame_also_where_a_finished_run_goes_on(finished, tmp_path):
    """The last frame of a run is of the average, which scores otherwise than the last step did."""
    shutil.copytree(finished[0] / "out", tmp_path / "out")
    for steps in (STEPS, STEPS + 8, STEPS + 8):
        done = run(command(tmp_path, steps=steps))
        assert done.returncode == 0, done.stderr
        film = read_film(tmp_path / "out" / "film.npz")
        log = [json.loads(line) for line in (tmp_path / "out" / "log.jsonl").read_text().splitlines()]
        scored = [(line["step"], line["dev_loss"], line["bleu"]) for line in log if "dev_loss" in line]
        assert len(scored) == len(set(scored))  # nothing is told twice
        told = {step: scores for step, *scores in scored}
        for step, *scores in zip(film["steps"], film["dev_losses"], film["bleus"], strict=True):
            assert told[int(step)] == scores
        assert log[-1]["step"] == film["steps"][-1]


def test_the_film_shows_every_head_of_every_kind_under_fixed_labels(finished):
    out = finished[0] / "out"
    film, config = read_film(out / "film.npz"), load(out).config
    for number in range(len(film["sources"])):
        rows, columns = len(film[f"read_pieces.{number}"]), len(film[f"source_pieces.{number}"])
        assert film[f"read_pieces.{number}"][1:].tolist() == film[f"predicted_pieces.{number}"][:-1].tolist()
        for kind in KINDS:
            sizes = {"encoder": (columns, columns), "decoder": (rows, rows), "cross": (rows, columns)}[kind]
            shape = (len(film["steps"]), config.layers, config.heads, *sizes)
            assert film[f"{kind}.{number}"].shape == shape
            sums = film[f"{kind}.{number}"].astype(int).sum(-1)
            assert (abs(sums - 255) <= sizes[-1]).all()


def test_moments_go_from_the_first_step_to_the_last():
    for steps in (1, 5, 40, 3_000, 100_000):
        found = moments(steps)
        assert found[0] == 0 and found[-1] == steps
        assert found == sorted(set(found))
    assert 20 <= len(moments(3_000)) <= 24


def test_a_film_shows_our_own_sentences_dev_pairs_or_nothing(translator):
    own, _ = choose_sentences(translator.tokenizer, ("en", "fr"), PAIRS)
    assert own == read_pairs(SENTENCES)
    for languages in (("ko", "en"), ("en", "fr")):  # a small vocabulary spells ours in too many pieces
        tokenizer = tiny_tokenizer()
        found, told = choose_sentences(tokenizer, languages, [("long " * 30, "x"), *PAIRS, *PAIRS])
        assert (
            len(found) == len(set(found)) == 8 and set(found) <= set(PAIRS) and "8 of the dev pairs" in told
        )
        assert all(len(tokenizer.encode(text).ids) <= LONGEST for pair in found for text in pair)
    assert choose_sentences(tokenizer, ("ko", "en"), [("long " * 30, "x")]) == (
        [], "no film of training: every dev pair has more than 14 pieces; --film names others"
    )  # fmt: skip


def test_a_run_without_a_film_ends_well_and_can_be_gone_on_from(finished, tmp_path):
    """Its dev pairs are too long to be filmed."""
    arguments = command(tmp_path, "--source", "xx", steps=4)
    place = arguments.index("--film")
    del arguments[place : place + 2]
    (tmp_path / "long.tsv").write_text("".join(f"{a} {a} {a}\t{b} {b} {b}\n" for a, b in PAIRS[:6]))
    arguments[arguments.index("--dev") + 1] = str(tmp_path / "long.tsv")
    for _ in range(2):
        done = run(arguments)
        assert done.returncode == 0, done.stderr
        assert "no film of training" in done.stderr
        assert not (tmp_path / "out" / "film.npz").exists()
        assert load(tmp_path / "out").translate("A dog.").ids
        arguments[arguments.index("--steps") + 1] = "6"
        if "--begin" not in arguments:
            arguments += ["--begin", str(tmp_path / "out")]
            shutil.move(tmp_path / "out", tmp_path / "before")
            arguments[-1] = str(tmp_path / "before")
