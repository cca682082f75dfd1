"""What the checkpoint that ships says of its heads, whichever it is: true when asked again, with evidence."""

import json

import numpy as np
import pytest

from model import checkpoint
from model.atlas.causal.decisions import decide
from model.atlas.causal.sweep import choices
from model.inspect.variants import Head, all_heads
from model.probe.contrasts import Contrast, shipped

ATLAS = json.loads((checkpoint.SHIPPED / "en-fr" / "atlas.json").read_text("utf-8"))
CAUSAL = ATLAS["causal"]
ROLES = [
    (name, Head(entry["kind"], entry["layer"], entry["head"]), entry)
    for name, told in CAUSAL.items()
    for entry in told["heads"]
    if entry["role"]
]


def test_everything_that_ships_was_asked(translator):
    asked = {each.name: len(each.contrasts) for each in shipped("en", "fr")}
    assert {name: told["given"] for name, told in CAUSAL.items()} == asked
    for told in CAUSAL.values():
        assert [Head(each["kind"], each["layer"], each["head"]) for each in told["heads"]] == all_heads(
            translator.config
        )


def test_at_least_eight_phenomena_have_a_head_that_carries_them():
    assert len({name for name, *_ in ROLES}) >= 8


def test_nothing_is_called_anything_without_evidence():
    rules = ATLAS["causal_method"]["rules"]
    for name, head, entry in ROLES:
        value, place = entry["silenced"], (name, head)
        assert value["high"] < 0, place
        assert -value["value"] >= rules["share_of_gap"] * CAUSAL[name]["gap"], place
        assert value["high"] < entry["null"]["low"], place
        assert -value["high"] > entry["others"], place
        assert entry["mean"]["high"] < 0, place
        assert entry["specificity"] >= rules["specificity"], place


@pytest.mark.parametrize("place", range(0, len(ROLES), max(1, len(ROLES) // 4)))
def test_an_example_is_what_the_model_does(translator, place):
    """The sentences of a card: with the head and without it, as anybody can try."""
    name, head, entry = ROLES[place]
    rows = {row.sentence: row for each in shipped("en", "fr") if each.name == name for row in each.contrasts}
    for example in entry["examples"][:2]:
        decision = decide(translator, name, rows[example["sentence"]])
        gap, silent = choices(translator.model, [decision], [(), (head.silenced,)]).gap[:, 0]
        np.testing.assert_allclose(
            (gap, silent - gap), (example["gap"], example["change"]), rtol=2e-3, atol=2e-3
        )
        assert translator.translate(example["sentence"]).text == example["before"]
        assert translator.translate(example["sentence"], [head.silenced]).text == example["after"]


UNSEEN = {  # written after the heads were named, and in no file: sentence, beginning, right and wrong word
    "pronoun_gender": [
        ("He lost the letter because it was in the car.", "Il a perdu la lettre parce qu'", "elle", "il"),
        (
            "My wife hates this lamp because it is old.",
            "Ma femme déteste cette lampe parce qu'",
            "elle",
            "il",
        ),
        ("They closed the window because it was dirty.", "Ils ont fermé la fenêtre parce qu'", "elle", "il"),
        ("She washed the plate because it was dirty.", "Elle a lavé l'assiette parce qu'", "elle", "il"),
    ],
    "article_gender": [
        ("We looked for the bridge in the rain.", "Nous avons cherché ", "le", "la"),
        ("We looked for the key in the rain.", "Nous avons cherché ", "la", "le"),
        ("Somebody has stolen the money again.", "Quelqu'un a volé ", "le", "la"),
        ("Put the chair beside your bed.", "Mettez ", "la", "le"),
    ],
}


@pytest.mark.parametrize("name", UNSEEN)
def test_heads_keep_their_names_on_sentences_that_nobody_asked(translator, name):
    """The strongest head of a phenomenon takes most of the choice in new sentences, too."""
    carried = [(entry["silenced"]["value"], head) for each, head, entry in ROLES if each == name]
    if not carried:
        pytest.skip("no head of this checkpoint carries it")
    _, head = min(carried, key=lambda each: each[0])
    asked = [
        decide(translator, name, Contrast(text, begun + right, begun + wrong))
        for text, begun, right, wrong in UNSEEN[name]
    ]
    gap, silent = choices(translator.model, asked, [(), (head.silenced,)]).gap
    known = gap > 0
    assert known.sum() >= 3
    assert (silent - gap)[known].mean() < -0.15 * gap[known].mean()
