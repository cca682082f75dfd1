"""The checkpoint that ships, whichever it is: laws, no particular head and no particular words."""

import json

import numpy as np
import pytest

from model import checkpoint, load
from model.network.kinds import KINDS
from model.training.film import LONGEST, read_film, take_frame
from viz.state.examples import EXAMPLES

FOLDER = checkpoint.SHIPPED / "en-fr"
SENTENCES = [
    "The animal didn't cross the street because it was too tired.",
    "Where did you leave your bicycle?",
    "Hello!",
    "고양이가 자요.",
    "<b>x</b> & $y$ 🙂",
    "We talked about the garden, the river, the old bridge and the people who live there. " * 4,
]


@pytest.fixture(scope="module")
def film():
    return read_film(FOLDER / "film.npz")


def test_it_is_small_and_whole():
    files = {path.name: path.stat().st_size for path in FOLDER.iterdir()}
    assert sum(files.values()) <= 40e6
    assert files["film.npz"] <= 4e6
    assert {"card.md", "log.jsonl", "config.json", "tokenizer.model", "SHA256SUMS"} < files.keys()


def test_it_has_the_promised_shape(translator):
    config = translator.config
    assert config.layers >= 4 and config.heads >= 8 and config.width >= 256
    assert config.positions == "sinusoidal" and config.tied


@pytest.mark.parametrize("text", SENTENCES, ids=lambda text: text[:20])
def test_every_check_of_its_traces_passes(translator, text):
    trace = translator.trace(text)
    assert [check for check in trace.checks if not check.passed] == []


def test_the_films_last_frame_is_the_weights_that_ship(film, translator):
    pairs = list(zip(film["sources"].tolist(), film["references"].tolist(), strict=True))
    frame = take_frame(translator.model, translator.tokenizer, pairs)
    assert frame["translations"].tolist() == film["translations"][-1].tolist()
    for number in range(len(pairs)):
        for kind in KINDS:
            last = film[f"{kind}.{number}"][-1].astype(int)
            assert (
                abs(last - frame[f"{kind}.{number}"]).max() <= 1
            )  # a weight between two bytes may fall on either


def test_the_film_goes_from_the_first_step_to_the_last(film):
    assert film["steps"][0] == 0
    assert 18 <= len(film["steps"]) <= 30
    assert (np.diff(film["steps"]) > 0).all()
    assert len(film["sources"]) == 8
    assert max(len(film[f"{side}_pieces.{n}"]) for n in range(8) for side in ("source", "read")) <= LONGEST
    assert film["dev_losses"][-1] < film["dev_losses"][0]


def test_the_log_is_of_the_run_the_film_shows(film):
    log = [json.loads(line) for line in (FOLDER / "log.jsonl").read_text("utf-8").splitlines()]
    assert log[-1]["step"] == film["steps"][-1]
    evaluated = {line["step"]: line["dev_loss"] for line in log if "dev_loss" in line}
    for step, loss in zip(film["steps"].tolist(), film["dev_losses"], strict=True):
        assert evaluated[step] == pytest.approx(float(loss))


def test_training_taught_it_something(translator):
    """The sentences of a school book: far likelier than the same words to the untrained twin."""
    pairs = [
        ("My sister reads a book.", "Ma sœur lit un livre."),
        ("Where is the station?", "Où est la gare ?"),
    ]
    trained, untrained = translator.score(pairs), load("en-fr", untrained=True).score(pairs)
    assert all(ours > theirs + 20 for ours, theirs in zip(trained, untrained, strict=True))


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("she", "elle petite"),
        ("he", "il petit"),
        ("noun", "montre"),
        ("verb", "regardons"),
        ("agreement", "fleurs belles"),
        ("rare", "fraises"),
    ],
)
def test_the_examples_show_what_the_app_says_of_them(translator, name, shown):
    """Who swaps the checkpoint looks for sentences that it shows truthfully."""
    words = translator.translate(EXAMPLES[name]).text.lower().replace("'", " ").replace(".", " ").split()
    assert set(shown.split()) <= set(words)


def test_the_rare_example_falls_into_pieces(translator):
    words = [word for word in translator.read(EXAMPLES["rare"]).words if word >= 0]
    assert max(map(words.count, words)) >= 3
