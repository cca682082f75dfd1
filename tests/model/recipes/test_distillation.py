"""Easier targets: the model's own words where they are near, people's words everywhere else."""

import pytest

from model.recipes import distillation
from model.recipes.distillation import Companions, distil_pairs, nearest

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
    own = [(source, translator.search(source).hypotheses[-1].text) for source, _ in PAIRS]
    cut = [(source, text.rsplit(" ", 1)[0] + ".") for source, text in own]
    taught = [*cut, *((f"{source} Yes.", text) for source, text in own)]  # every word has been written
    changed = 0
    for pairs in (own, cut, taught, PAIRS):
        companions = Companions(pairs)
        for pair, easier in zip(pairs, distilled(translator, pairs, near=20.0), strict=True):
            beam = translator.search(pair[0]).hypotheses
            score, text, _ = nearest([each.text for each in beam if each.finished], [pair[1]])
            accepted = score >= 20 and companions.trust(text, pair)
            assert easier == ((pair[0], text) if accepted else pair)
            changed += easier != pair
    assert changed  # else this has shown nothing
    assert distilled(translator, own) == own  # what any place of the beam says to the letter is taken


def test_of_all_that_somebody_wrote_the_nearest_to_the_model_stays(translator):
    source, far = PAIRS[-1]
    own = translator.search(source).hypotheses[0].text
    beside = own.rsplit(" ", 1)[0] + " poires."
    assert distilled(translator, [(source, far), *PAIRS[:1], (source, beside)], near=101.0) == [
        (source, beside),
        PAIRS[0],
    ]


def test_what_is_far_from_the_models_own_words_stays(translator):
    assert distilled(translator)[-1] == PAIRS[-1]


def test_a_model_that_says_nothing_changes_nothing():
    assert nearest([], ["Viens !", "Venez !"]) == (0.0, "", "Viens !")
    assert nearest([""], ["Viens !"]) == (0.0, "", "Viens !")


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
