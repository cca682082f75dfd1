"""What was measured of heads, as plain tables."""

import pytest

from viz.notebook import atlas_table, atlases, causal_table


@pytest.fixture(params=[True, False], ids=["pandas", "plain"])
def rows(request, monkeypatch):
    """A table as a list of rows, made with pandas and without."""
    if request.param:
        pytest.importorskip("pandas")
        return lambda table: table.astype(object).where(table.notna(), None).to_dict("records")
    monkeypatch.setattr(atlases, "find_spec", lambda name: None)
    return lambda table: table


def test_every_measure_of_every_head_is_a_row(rows, atlas):
    found = {
        (row["kind"], row["layer"], row["head"], row["measure"]): row for row in rows(atlas_table(atlas))
    }
    for head in atlas["heads"]:
        for name, measure in head["measures"].items():
            if measure["value"] is not None:
                row = found.pop((head["kind"], head["layer"], head["head"], name))
                assert (row["value"], row["n"]) == (measure["value"], measure["n"])
    assert not found


def test_heads_are_ranked_by_what_their_silence_takes(rows, atlas):
    found = rows(causal_table(atlas, "pronoun_gender"))
    shares = [row["share"] for row in found]
    assert shares == sorted(shares, reverse=True) and len(found) == len(atlas["heads"])
    told = atlas["causal"]["pronoun_gender"]
    for entry in told["heads"]:
        place = [entry["kind"], entry["layer"], entry["head"]]
        (row,) = (row for row in found if [row["kind"], row["layer"], row["head"]] == place)
        assert row["change"] == entry["silenced"]["value"] and row["carries"] == entry["role"]
        assert row["share"] == pytest.approx(-entry["silenced"]["value"] / told["gap"])


def test_an_atlas_is_found_by_name_folder_and_file(atlas):
    assert atlases.atlas_of("en-fr") == atlas


def test_what_nobody_asked_or_measured_is_said(atlas, tmp_path):
    with pytest.raises(ValueError, match="pronoun_gender"):
        causal_table(atlas, "weather")
    with pytest.raises(FileNotFoundError, match="python -m model heads"):
        atlas_table(tmp_path / "atlas.json")
