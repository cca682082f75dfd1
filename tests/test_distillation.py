"""Easier targets: the model's own words where they are near, people's words everywhere else."""

import pytest
from sacrebleu import sentence_bleu

from model import distillation
from model.distillation import distil_pairs

PAIRS = [
    ("The gardener opened the gate.", "Le jardinier a ouvert la grille."),
    ("My cousins were late again.", "Mes cousins étaient encore en retard."),
    ("Nobody answered.", "Personne ne répondit."),
    ("She lent me her bicycle.", "Elle me prêta sa bicyclette."),
    ("We are waiting for the ferry.", "Quarante-deux poires bleues."),
]


def distilled(translator, pairs=PAIRS, **options) -> list[tuple[str, str]]:
    return list(distil_pairs(translator.model, translator.tokenizer, pairs, **options))


def test_with_nothing_near_enough_every_target_stays(translator):
    assert distilled(translator, near=101.0) == PAIRS


def test_with_everything_near_enough_the_beams_nearest_takes_its_place(translator):
    for (source, easier), (same, target) in zip(distilled(translator, near=0.0), PAIRS, strict=True):
        beam = translator.search(source, size=4).hypotheses
        likeness = {each.text: sentence_bleu(each.text, [target]).score for each in beam if each.finished}
        assert source == same
        assert likeness[easier] == max(likeness.values())


def test_what_is_far_from_the_models_own_words_stays(translator):
    found = distilled(translator, near=50.0)
    assert found[-1] == PAIRS[-1]
    for (_, easier), (_, target) in zip(found, PAIRS, strict=True):
        assert easier == target or sentence_bleu(easier, [target]).score >= 50


@pytest.mark.parametrize("size", [1, 2, 5])
def test_chunks_change_nothing(translator, monkeypatch, size):
    whole = distilled(translator)
    monkeypatch.setattr(distillation, "CHUNK", size)
    assert distilled(translator) == whole


def test_a_pair_too_long_to_read_is_left_out(translator):
    endless = ("word " * translator.config.length, "mot")
    assert distilled(translator, [endless, *PAIRS[:1]], near=101.0) == PAIRS[:1]
