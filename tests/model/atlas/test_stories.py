"""Experiments worth showing: what is told holds when it is run again, and another checkpoint has others."""

import json
from copy import deepcopy
from dataclasses import replace

import pytest
import torch

from model import checkpoint
from model.__main__ import main
from model.atlas.stories import MOST, stories
from model.atlas.stories.told import at_first_sight
from model.atlas.stories.tried import Tried, carriers
from model.inspect.variants import Head
from model.network.kinds import KINDS
from model.probe.contrasts import shipped
from model.translator import Translator
from tests.helpers.tiny import SENTENCES, tiny_tokenizer, tiny_translator


@pytest.fixture(scope="module")
def asked():
    """One phenomenon that some head of the checkpoint that ships carries, and what its atlas says of it."""
    told = json.loads((checkpoint.SHIPPED / "en-fr" / "atlas.json").read_text("utf-8"))["causal"]
    for each in shipped("en", "fr"):
        atlas = {"causal": {each.name: told[each.name]}}
        if each.name == "pronoun_gender" and carriers(atlas):
            return replace(each, contrasts=each.contrasts[:8]), atlas
    pytest.skip("no head of this checkpoint carries it")


def test_a_story_of_a_head_is_of_one_that_carries_what_broke(translator, asked):
    phenomenon, atlas = asked
    found = stories(translator, {}, [phenomenon], atlas)["stories"]
    heads = [each for each in found if each["way"] == "head"]
    assert heads and found[: len(heads)] == heads
    assert {Head(each["kind"], each["layer"], each["head"]) for each in heads} <= carriers(atlas).keys()
    assert heads[0]["phenomenon"] == phenomenon.name
    for way, most in MOST.items():
        assert sum(each["way"] == way for each in found) <= most


def test_another_checkpoint_has_others(translator, asked):
    """The same weights, but what these heads say is not heard: nothing is told of them."""
    phenomenon, atlas = asked
    model, width = deepcopy(translator.model), translator.config.head_width
    for kind, layer, head in carriers(atlas):
        attention = model.get_submodule(KINDS[kind].format(layer))
        with torch.no_grad():
            attention.to_output.weight[:, head * width : (head + 1) * width] = 0
    found = stories(Translator("deaf", model, translator.tokenizer), {}, [phenomenon], atlas)["stories"]
    assert not [each for each in found if each["way"] == "head"]


def test_a_model_that_translates_nothing_right_has_no_story():
    translator = tiny_translator(tiny_tokenizer())
    assert stories(translator)["stories"] == []
    assert stories(translator, {text: ["Le chat."] for text in SENTENCES[:3]})["stories"] == []


def test_what_one_cannot_read_does_not_show():
    def shows(after, way="head", before="Elle est trop petite."):
        return at_first_sight(Tried(way, "It is too small.", (), before, after))

    assert shows("Il est trop petit.") > shows("Il a le trop petit.") > 0
    assert shows("Elle est trop petite.") == 0  # nothing to see
    assert shows("est trop petite.") == 0  # no beginning
    assert shows("") == shows("Un chien dort sous la table verte.") == 0
    moved = shows("J'ai lu trois fois ce livre.", "order", "J'ai lu ce livre trois fois.")
    assert moved == 0  # the same words, elsewhere
    one = "Le chat voit le chien."
    assert shows("Le chien voit le chat.", "order", one) > shows("Le chat voit.", "order", one)


def test_the_command_writes_them_into_the_folder(tmp_path, capsys):
    folder, mine = tmp_path / "tiny", tmp_path / "mine.tsv"
    tiny = tiny_translator(tiny_tokenizer())
    checkpoint.save(folder, tiny.model, tiny.tokenizer)
    mine.write_text("The cat sees this book.\tLe chat voit ce livre.\n", "utf-8")
    assert main(["stories", "--checkpoint", str(folder), "--everyday", str(mine)]) == 0
    told = json.loads((folder / checkpoint.STORIES).read_text("utf-8"))
    assert told == {"checkpoint": "tiny", "stories": []}
    assert checkpoint.STORIES in (folder / "SHA256SUMS").read_text("utf-8")
    checkpoint.load(folder)
    mine.write_text("no translation\n", "utf-8")
    assert main(["stories", "--checkpoint", str(folder), "--everyday", str(mine)]) == 2
    assert "line 1" in capsys.readouterr().err
