"""A contest is fair: the same pairs for all, the same rates for each, and the best of them is taken."""

import json

import pytest

from model import checkpoint
from model.network.config import PRESETS
from model.processes import processes
from model.recipes import contest
from model.recipes.contest import compete, prepare, read_rules, ship
from model.rivals import FACTS, RIVALS
from model.training.data import read_pairs
from tests.helpers.tiny import PAIRS, write_pairs

RULES = """
[contest]
longest = 9
rates = [0.001, 0.01]
trial = 4

[shape]
vocabulary = 400

[[stage]]
name = "rivals"
steps = 5
tokens = 200
warmup = 2
evaluate_every = 5

[stage.recipes]
joined = 0.5

[[stage.text]]
file = "pairs.tsv"
"""


@pytest.fixture
def rules(tmp_path):
    path = tmp_path / "rules.toml"
    path.write_text(RULES, "utf-8")
    return read_rules(path)


@pytest.fixture
def pairs(rules, tmp_path):
    write_pairs(tmp_path / "pairs.tsv", PAIRS)
    return prepare(rules, tmp_path, tmp_path / "out")


def test_nothing_longer_than_the_rules_say_is_learned_from(pairs):
    found = read_pairs(pairs)
    words = [max(side.count(" ") + 1 for side in pair) for pair in found]
    assert 0 < len([pair for pair in PAIRS if max(side.count(" ") + 1 for side in pair) <= 9]) <= len(found)
    assert max(words) <= 9


@pytest.mark.slow
def test_the_best_rate_is_taken_and_all_that_was_tried_is_told(rules, pairs, tmp_path, monkeypatch):
    small = {name: PRESETS[name] for name in PRESETS} | {
        "multiplicative": contest.replace(PRESETS["multiplicative"], width=16, hidden=16, layers=1)
    }
    monkeypatch.setattr(contest, "PRESETS", small)
    with processes() as group:
        folder = compete("multiplicative", rules, pairs, pairs, tmp_path / "out", group)
    facts = json.loads((folder / FACTS).read_text("utf-8"))
    assert list(facts["rates"]) == ["0.001", "0.01"]
    assert facts["rates"][f"{facts['rate']:g}"] == min(facts["rates"].values())
    assert (facts["steps"], facts["trial_steps"], facts["source_words"]) == (5, 4, 9)
    assert facts["pairs"] == len(read_pairs(pairs)) and facts["target_pieces"] > 0
    told = (folder / "card.md").read_text("utf-8")
    assert f"taken: {facts['rate']:g}" in told and f"{facts['weights']:,}" in told

    monkeypatch.setattr(checkpoint, "SHIPPED", tmp_path / "shipped")
    kept = ship(folder)
    assert not (kept / "training").exists()
    model, _ = checkpoint.load_any(kept)  # its sums are right
    assert model.config.architecture == "multiplicative"


def test_every_rival_has_a_shape_with_the_vocabulary_of_the_contest(rules):
    configs = {name: contest.rival_config(name, rules) for name in RIVALS}
    assert {config.vocabulary for config in configs.values()} == {400}
    assert [config.architecture for config in configs.values()] == list(RIVALS)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [("trial = 4", "", "longest, rates and trial"), ("longest = 9", "longest = 0", "at least one word"),
     ("[0.001, 0.01]", "[]", "needs a rate"), ("trial = 4", "trial = 4\nspeed = 2", "nothing else")],
)  # fmt: skip
def test_rules_that_say_too_little_or_too_much_are_refused(tmp_path, old, new, told):
    path = tmp_path / "rules.toml"
    path.write_text(RULES.replace(old, new), "utf-8")
    with pytest.raises(ValueError, match=told):
        read_rules(path)
