"""The registry: every recipe by its name, each with random numbers of its own."""

import pytest

from model.recipes import RECIPES, Recipe, make_pairs

LONG = "one two three four five six seven eight nine"
PAIRS = [
    ("I lost the key.", "J'ai perdu la clé."), ("I lost the bag.", "J'ai perdu le sac."),
    ("Tom sells a key.", "Tom vend une clé."), ("Tom sells a bag.", "Tom vend un sac."),
    ("It's small.", "Il est petit."), ("It's small.", "Elle est petite."),
    ("I have three cats.", "J'ai trois chats."), ("I have 30 cats.", "J'ai 30 chats."),
    ("We saw Boston.", "Nous avons vu Boston."),
    ("A lemon.", "Un citron."), ("The lemon!", "Le citron !"), ("My lemon.", "Mon citron."),
    ("No lemon?", "Pas de citron ?"),
    (f"{LONG} ten", "dix"), (f"{LONG} eleven", "onze"),
] * 4  # fmt: skip
SHARES = dict.fromkeys(RECIPES, 0.5)


def test_every_recipe_makes_as_many_pairs_as_it_is_asked_for():
    for name in RECIPES:
        made = make_pairs(PAIRS, {name: 0.5}, seed=1)
        assert len(made) == len(PAIRS) // 2, name
        assert all(source and target for source, target in made), name
        assert make_pairs(PAIRS, {name: 0.0}, seed=1) == []


def test_what_is_made_depends_on_the_seed_alone():
    for name in RECIPES:
        made = [make_pairs(PAIRS, {name: 2.0}, seed) for seed in (3, 3, 4)]
        assert made[0] == made[1] != made[2], name


def test_no_recipe_changes_what_another_one_makes(monkeypatch):
    """Neither by being there, nor by its share, nor by how many random numbers it draws."""
    alone = [pair for name in RECIPES for pair in make_pairs(PAIRS, {name: 0.5}, seed=1)]
    assert make_pairs(PAIRS, SHARES, seed=1) == alone
    fewer = {name: share for name, share in SHARES.items() if name != "linked"}
    without = [pair for name in fewer for pair in make_pairs(PAIRS, {name: 0.5}, seed=1)]
    assert make_pairs(PAIRS, fewer, seed=1) == without

    def greedy(pairs, count, rng):
        rng.random(1_000)
        return []

    monkeypatch.setitem(RECIPES, "greedy", Recipe(greedy, "nothing"))
    assert make_pairs(PAIRS, {"greedy": 1.0, **SHARES}, seed=1) == alone


def test_two_recipes_do_not_draw_the_same_numbers(monkeypatch):
    drawn = {}
    for name in RECIPES:

        def draw(pairs, count, rng, name=name):
            drawn[name] = tuple(rng.integers(2**62, size=4))
            return []

        monkeypatch.setitem(RECIPES, name, Recipe(draw, ""))
    make_pairs(PAIRS, SHARES, seed=1)
    assert len(set(drawn.values())) == len(RECIPES)


def test_an_unknown_recipe_is_refused():
    with pytest.raises(KeyError, match="cooked"):
        make_pairs(PAIRS, {"cooked": 0.5}, seed=1)
