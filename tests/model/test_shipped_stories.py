"""The experiments that ship keep their promise: run again, each does what it says, whichever they are."""

import json

import numpy as np
import pytest

from model import checkpoint
from model.inspect.edits_json import from_json
from model.probe.contrasts import shipped

STORIES = json.loads((checkpoint.SHIPPED / "en-fr" / checkpoint.STORIES).read_text("utf-8"))["stories"]


def test_there_are_some_of_different_kinds_a_head_first():
    assert len({each["name"] for each in STORIES}) == len(STORIES)
    assert STORIES[0]["way"] == "head" and STORIES[0]["phenomenon"] is not None
    assert len({each["way"] for each in STORIES}) >= 3
    known = {each.name for each in shipped("en", "fr")}
    assert {each["phenomenon"] for each in STORIES} - {None} <= known


@pytest.mark.parametrize("story", STORIES, ids=lambda each: each["name"])
def test_it_does_what_it_says(translator, story):
    made = from_json(json.dumps(story["edits"]))
    before = translator.trace(story["sentence"], keep=())
    after = translator.trace(story["sentence"], edits=made, keep=())
    assert before.translation.text == story["before"]
    assert after.translation.text == story["after"]
    again = translator.trace(story["sentence"], before.target.predicted_ids, made, keep=())
    row = story["at"]
    lost = np.exp([each.log_probs[row] for each in (before, again)])
    assert lost[0] > 0.5 and lost[0] - lost[1] > 0.3
    np.testing.assert_allclose(story["chance"]["before"], lost[0], atol=0.35)  # of a word, not of a piece
    if story["way"] == "future":
        return
    assert story["before"] != story["after"]
    for side in ("before", "after"):
        for word in filter(None, story["words"][side].split(" … ")):
            assert word in story[side]
    assert before.target.predicted_ids[:row] == after.target.predicted_ids[:row]
    assert before.target.predicted_ids[row] != after.target.predicted_ids[row]
