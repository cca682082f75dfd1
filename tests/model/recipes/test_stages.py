from pathlib import Path

import pytest

from model.__main__ import main
from model.commands.make import EN_FR
from model.recipes.stages import Text, mix, read_stages
from model.training.data import read_pairs
from tests.helpers.tiny import PAIRS, write_pairs

STAGES = """
[shape]
vocabulary = 400
layers = 1
width = 16
heads = 2
hidden = 16
length = 64

[[stage]]
name = "broad"
steps = 2
tokens = 300
dev_pairs = 2
[stage.recipes]
careless = 0.1
[[stage.text]]
file = "pairs.tsv"

[[stage]]
name = "narrow"
steps = 3
tokens = 300
dev_pairs = 2
[[stage.text]]
file = "pairs.tsv"
most = 20
"""


@pytest.fixture
def recipe(tmp_path) -> Path:
    write_pairs(tmp_path / "pairs.tsv", PAIRS)
    (tmp_path / "recipe.toml").write_text(STAGES, "utf-8")
    return tmp_path / "recipe.toml"


def test_a_text_gives_what_its_line_says(tmp_path):
    rows = ["a b c\tx\tpivot", "a\tx y\tdirect", "b\ty\tdirect", "c\tz\tdirect"]
    (tmp_path / "pairs.tsv").write_text("\n".join(rows), "utf-8")
    whole = [(row.split("\t")[0], row.split("\t")[1]) for row in rows]
    assert mix([Text("pairs.tsv")], tmp_path, 1) == whole
    assert mix([Text("pairs.tsv", without=("pivot",))], tmp_path, 1) == whole[1:]
    assert mix([Text("pairs.tsv", words=1, times=2)], tmp_path, 1) == whole[2:] * 2
    drawn = mix([Text("pairs.tsv", most=2)], tmp_path, 1)
    assert len(drawn) == 2
    assert set(drawn) < set(whole)
    assert drawn == mix([Text("pairs.tsv", most=2)], tmp_path, 1)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("layers", "storeys"), "shape has no 'storeys'"),
        (("careless", "careful"), "recipes of stage 'broad' has no 'careful'"),
        (("steps = 3", "steps = 2"), "stage 'narrow' must end after stage 'broad'"),
        (("most = 20", "least = 20"), "a text of stage 'narrow' has no 'least'"),
        (('name = "broad"', 'name = "a/b"'), "a stage needs a name"),
        (("[shape]", "[shape"), "recipe.toml"),
    ],
)
def test_a_recipe_with_a_mistake_is_refused_by_name(recipe, change, complaint):
    recipe.write_text(recipe.read_text("utf-8").replace(*change), "utf-8")
    with pytest.raises(ValueError, match=complaint):
        read_stages(recipe)


def test_the_recipe_that_ships_can_be_read():
    stages = read_stages(EN_FR)
    assert [stage.name for stage in stages] == ["broad", "everyday"]
    assert all(stage.settings.config.layers == 6 for stage in stages)


@pytest.mark.slow
def test_stages_follow_each_other_and_a_finished_one_is_not_made_again(recipe, capsys):
    folder = recipe.parent
    film = write_pairs(folder / "film.tsv", [min(PAIRS, key=lambda pair: max(map(len, pair)))])
    command = ["make", "--recipe", str(recipe), "--data", str(folder), "--dev", str(folder / "pairs.tsv")]
    command += ["--film", str(film)]
    assert main([*command, "--out", str(folder / "made")]) == 0
    assert capsys.readouterr().out.strip() == str(folder / "made" / "narrow")
    assert len(read_pairs(folder / "made" / "narrow" / "pairs.tsv")) == 20
    made = {path: path.stat().st_mtime_ns for path in (folder / "made").rglob("weights.safetensors")}
    assert len(made) == 2
    assert main([*command, "--out", str(folder / "made")]) == 0
    assert made == {path: path.stat().st_mtime_ns for path in made}
