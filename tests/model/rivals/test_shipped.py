"""The five that ship: a fair comparison, and networks that translate."""

import json

import pytest

from model import checkpoint
from model.commands.contest import RULES
from model.recipes.contest import read_rules, rival_config
from model.rivals import FACTS, FOLDER, RIVALS
from model.rivals.lengths import FILE, MEASURES
from model.rivals.rival import load_rival

SHIPPED = checkpoint.SHIPPED / FOLDER
EACH = pytest.mark.parametrize("name", RIVALS)


def facts(name: str) -> dict:
    return json.loads((SHIPPED / name / FACTS).read_text("utf-8"))


@EACH
def test_it_is_what_the_rules_say(name):
    rules = read_rules(RULES)
    model, _ = checkpoint.load_any(SHIPPED / name)
    assert model.config == rival_config(name, rules)
    known = facts(name)
    assert sorted(map(float, known["rates"])) == sorted(rules.rates)
    assert known["rate"] == float(min(known["rates"], key=known["rates"].__getitem__))
    assert (known["steps"], known["source_words"]) == (rules.stage.settings.steps, rules.longest)


@EACH
def test_it_is_small_and_has_a_card(name):
    folder = SHIPPED / name
    assert 2 * facts(name)["weights"] <= 4e6  # bytes, in half precision
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 4 * 2**20
    card = (folder / "card.md").read_text("utf-8")
    assert "python -m model contest" in card and "CC" in card
    assert {path.name for path in folder.iterdir()} <= {
        checkpoint.CONFIG, checkpoint.WEIGHTS, checkpoint.TOKENIZER, checkpoint.SUMS, FACTS, "card.md",
        "log.jsonl",
    }  # fmt: skip


def test_all_learned_the_same_with_as_many_weights():
    known = [facts(name) for name in RIVALS]
    weights = [each["weights"] for each in known]
    assert max(weights) <= 1.05 * min(weights) and 1.9e6 <= min(weights) <= max(weights) <= 3e6
    for same in ("target_pieces", "pairs", "steps", "trial_steps", "source_words"):
        assert len({each[same] for each in known}) == 1, same
    assert len({(SHIPPED / name / checkpoint.TOKENIZER).read_bytes() for name in RIVALS}) == 1
    assert len({len(each["rates"]) for each in known}) == 1


@EACH
def test_it_translates_what_everybody_says(name):
    """Small ones that learned little: of six short sentences, half have a word that belongs there."""
    expected = {
        "I love you.": "aime", "Thank you.": "merci", "Where is the cat?": "chat", "She is tired.": "elle",
        "He is my brother.": "frère", "I have a dog.": "chien",
    }  # fmt: skip
    written = load_rival(name).translate_many([*expected])
    right = [word in each.text.lower() for word, each in zip(expected.values(), written, strict=True)]
    assert sum(right) >= 3, [each.text for each in written]


def test_what_was_measured_is_of_these_networks():
    measured = json.loads((SHIPPED / FILE).read_text("utf-8"))
    assert [*measured["models"]] == [*RIVALS]
    for name, each in measured["models"].items():
        assert each["training"] == facts(name)
        for measure in MEASURES:
            assert all(low <= value <= high for value, low, high in each[measure])
    firsts = [bucket["first"] for bucket in measured["buckets"]]
    assert firsts == sorted(firsts) and measured["buckets"][-1]["first"] > measured["longest"]
