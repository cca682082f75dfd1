"""Easier targets: the model's own words where they are near, people's words everywhere else."""

import pytest

from model import distillation
from model.distillation import Companions, distil_pairs, nearest

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


def test_the_beams_nearest_takes_its_place_where_it_is_near_and_trusted(translator):
    # Two ways to say each: the model's own, and that without its last word, which nothing stands for.
    own = [(source, translator.search(source).hypotheses[0].text) for source, _ in PAIRS]
    cut = [(source, text.rsplit(" ", 1)[0] + ".") for source, text in own]
    companions, changed = Companions([*own, *cut]), 0
    for pair, easier in zip([*own, *cut], distilled(translator, [*own, *cut]), strict=True):
        beam = translator.search(pair[0]).hypotheses
        score, text = nearest([each.text for each in beam if each.finished], pair[1])
        accepted = score >= 40 and companions.trust(text, pair)
        assert easier == ((pair[0], text) if accepted else pair)
        changed += easier != pair
    assert changed  # else this has shown nothing


def test_what_is_far_from_the_models_own_words_stays(translator):
    assert distilled(translator)[-1] == PAIRS[-1]


def test_a_word_without_a_reason_is_not_trusted():
    said = ["The cat sleeps.", "The cat eats.", "The dog sleeps.", "The dog eats.", "A bird sings."]
    written = ["Le chat dort.", "Le chat mange.", "Le chien dort.", "Le chien mange.", "Un oiseau chante."]
    companions = Companions([*zip(said, written, strict=True)] * 50 + [("Go!", "Va !")] * 20_000)
    pair = ("The cat eats.", "Le chat avale.")
    assert companions.trust("Le chat mange.", pair)
    assert not companions.trust("Le chat chante.", pair)  # nothing sings here
    assert not companions.trust("Le chat mord.", pair)  # a word nobody has written
    assert companions.trust("Va chat mange.", pair)  # a common word may stand anywhere
    assert not companions.trust("Chat mange.", pair)  # something was left out


@pytest.mark.parametrize("size", [1, 2, 5])
def test_chunks_change_nothing(translator, monkeypatch, size):
    whole = distilled(translator)
    monkeypatch.setattr(distillation, "CHUNK", size)
    assert distilled(translator) == whole


def test_a_pair_too_long_to_read_is_left_out(translator):
    endless = ("word " * translator.config.length, "mot")
    assert distilled(translator, [endless, *PAIRS[:1]], near=101.0) == PAIRS[:1]
