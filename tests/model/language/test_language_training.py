"""Training: killed anywhere, it goes on as if nothing had happened; and it learns."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from model.language import store
from model.language.passages import SEGMENTS, passages, segments
from model.language.training import ROUND, Plan, Run, train_together
from model.processes import processes
from tests.helpers.spoken import LINES, tiny_language_config
from tests.helpers.tiny import tiny_tokenizer

PLAN = Plan(tiny_language_config(), chapters=3, streams=4, warmup=10, cooldown=20)


@pytest.fixture(scope="module")
def tokenizer():
    return tiny_tokenizer()


@pytest.fixture(scope="module")
def rows(tokenizer):
    return passages(LINES, tokenizer, PLAN.config.segment)


def trained(plan, folder, rows):
    with processes() as group:
        run = Run(plan, folder, group)
        train_together([run], rows)
    return run


@pytest.fixture(scope="module")
def whole(rows, tmp_path_factory):
    return trained(PLAN, tmp_path_factory.mktemp("whole"), rows)


def test_a_run_that_stopped_goes_on_as_if_it_had_not(whole, rows, tmp_path):
    with processes() as group:
        Run(PLAN, tmp_path, group).go(rows, 2)
    again = trained(PLAN, tmp_path, rows)
    assert again.losses == whole.losses
    for one, other in zip(again.model.parameters(), whole.model.parameters(), strict=True):
        assert torch.equal(one, other)


def test_it_learns(whole):
    assert whole.losses[-1] < whole.losses[0] - 0.5


def test_runs_that_are_compared_take_turns(rows, tmp_path):
    with processes() as group:
        plan = replace(PLAN, chapters=ROUND + 1)
        runs = [Run(plan, tmp_path / name, group) for name in "ab"]
        told = []
        for run in runs:
            run.go = lambda rows, until, tell, run=run: (
                told.append((run.folder.name, until)), run.losses.extend([0.0] * (until - len(run.losses)))
            )  # fmt: skip
        train_together(runs, rows)
    assert told == [("a", ROUND), ("b", ROUND), ("a", ROUND + 1), ("b", ROUND + 1)]


def test_every_weight_moves(whole):
    begun = store.untrained(PLAN.config, PLAN.seed)
    for (name, end), start in zip(whole.model.named_parameters(), begun.parameters(), strict=True):
        assert not torch.equal(end, start), name


def test_a_run_does_not_go_on_under_another_plan_or_before_its_end(whole, rows):
    with pytest.raises(ValueError, match="holds a run with another plan"):
        trained(replace(PLAN, peak=1e-4), whole.folder, rows)
    with pytest.raises(ValueError, match="has made 3 chapters"):
        trained(replace(PLAN, chapters=2), whole.folder, rows)


def test_what_is_stored_is_what_is_loaded(whole, tokenizer, tmp_path):
    store.save(tmp_path / "made", whole.model, tokenizer)
    model, read = store.load(tmp_path / "made")
    assert model.config == PLAN.config and read.model == tokenizer.model and not model.training
    for stored, own in zip(model.parameters(), whole.model.parameters(), strict=True):
        assert torch.equal(stored, own.half().float())
    (tmp_path / "made" / "config.json").write_text("{}")
    with pytest.raises(ValueError, match="config.json is damaged"):
        store.load(tmp_path / "made")


def test_passages_keep_the_order_of_the_text_and_lose_only_its_end(rows, tokenizer):
    text = [id for ids in tokenizer.ids(LINES) for id in ids]
    joined = [*rows[:, :-1].ravel(), rows[-1, -1]]
    assert joined == text[: len(joined)] and len(text) - len(joined) < SEGMENTS * PLAN.config.segment
    for read, right in segments(rows, PLAN.config.segment):
        assert np.array_equal(read[:, 1:], right[:, :-1])


def test_a_text_too_short_for_a_passage_is_refused(tokenizer):
    with pytest.raises(ValueError, match="a passage takes 129"):
        passages(LINES[:2], tokenizer, 8)
