"""What a setting teaches: a sentence for each in which a training differs from the usual one."""

from collections.abc import Callable, Iterator, Sequence

from model.training.toys.recipe import ROOM, SWITCHES, Recipe
from viz.figures.numbers import fixed

Say = Callable[..., str]
SIZES = ("heads", "width")
USUAL = Recipe()


def lessons(recipes: Sequence[Recipe], say: Say) -> str:
    """Of all trainings on screen, each lesson once; nothing where all is as usual."""
    return " ".join(dict.fromkeys(each for recipe in recipes for each in _taught(recipe, say)))


def _taught(recipe: Recipe, say: Say) -> Iterator[str]:
    own = recipe.width // recipe.heads
    for name in SWITCHES:
        if getattr(recipe, name) != getattr(USUAL, name):
            yield say(f"forming.lesson.{name}", own=own, root=fixed(own**0.5, 1).removesuffix(".0"))
    if recipe.positions != USUAL.positions:
        yield say(f"forming.lesson.{recipe.positions}", room=ROOM)
    for name in SIZES:
        if difference := getattr(recipe, name) - getattr(USUAL, name):
            way = "more" if difference > 0 else "fewer"
            yield say(f"forming.lesson.{name}.{way}", heads=recipe.heads, own=own, width=recipe.width)
    if recipe.layers != USUAL.layers:
        yield say("forming.lesson.layers")
    if recipe.off:
        yield say("forming.lesson.off")
