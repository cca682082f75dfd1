"""Longer sentences: what is drawn and said is what was measured, and what the five networks really write."""

import json
from itertools import combinations, pairwise

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import model.rivals.rival as room
from model.probe.corpora import PROBES
from model.rivals import RIVALS
from model.rivals.aligned import aligned
from model.rivals.lengths import FILE, measure
from tests.helpers.app import open_app, write
from tests.helpers.rivals import LONGEST, write_rivals
from tests.helpers.tiny import PAIRS
from viz.figures.svg import width
from viz.pages.why.figures.length.curves import curves
from viz.pages.why.figures.length.looks import Looks, maps, one_row
from viz.pages.why.numbers import length as numbers
from viz.pages.why.numbers.looks import first_row, shares
from viz.pages.why.panels.length.longer import GROWING, grown
from viz.state import rivals as state
from viz.text import LANGUAGES, translate

say = translate("en")
TEXT = "The dog sees the old bridge."


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Five tiny networks as the contest leaves them, and what the command measures of them."""
    folder = tmp_path_factory.mktemp("rivals")
    rivals = write_rivals(folder)
    longer = [tuple(f"{side} {side}" for side in pair) for pair in PAIRS[:25]]
    found = measure(rivals, [*PAIRS[::6], *longer], LONGEST)
    few = [each for each in PROBES["hand"]() if each.alignment][:4]
    for name, rival in rivals.items():
        facts = json.loads((folder / name / "training.json").read_text("utf-8"))
        found["models"][name] |= {"training": facts, "aligned": aligned(rival, few)}
    (folder / FILE).write_text(json.dumps(found), "utf-8")
    return folder


@pytest.fixture
def rivals(folder, monkeypatch):
    """The app shows these instead of those that ship."""
    kept = [each for each in vars(state).values() if hasattr(each, "clear") and callable(each)]
    for cached in kept:
        cached.clear()
    monkeypatch.setattr(room, "FOLDER", str(folder))
    monkeypatch.setattr(state, "FOLDER", str(folder))
    yield
    for cached in kept:
        cached.clear()


def found_in(folder) -> dict:
    return json.loads((folder / FILE).read_text("utf-8"))


def said(app: AppTest) -> str:
    return " ".join(each.value for each in [*app.text, *app.caption, *app.info])


def made_up(scores: dict[str, list[float]], gap: float = 0.5) -> numbers.Measured:
    """Scores by network, a number a bucket, each with an interval of the same width."""
    tables = {
        name: np.array([(each, each - gap, each + gap) for each in row]) for name, row in scores.items()
    }
    names = tuple(tables)
    buckets = tuple(
        numbers.Bucket(5 * place + 1, 5 * place + 5, 40) for place in range(len(scores[names[0]]) - 1)
    )
    apart = {}
    for one, other in combinations(names, 2):
        gaps = tables[one][:, 0] - tables[other][:, 0]
        for each in numbers.MEASURES:
            apart[one, other, each] = np.stack([gaps, gaps - gap, gaps + gap], 1)
    both = {(name, measure): table for name, table in tables.items() for measure in numbers.MEASURES}
    return numbers.Measured(buckets, names, both, apart)


def test_a_difference_is_the_other_one_turned_round(folder):
    measured = numbers.read(found_in(folder))
    there, back = (
        measured.difference(*pair, "bleu") for pair in ((RIVALS[0], RIVALS[4]), (RIVALS[4], RIVALS[0]))
    )
    np.testing.assert_allclose(there[:, 0], -back[:, 0])
    assert (there[:, 1] <= there[:, 0]).all() and (back[:, 1] <= back[:, 2]).all()
    direct = measured.scores[RIVALS[0], "bleu"][:, 0] - measured.scores[RIVALS[4], "bleu"][:, 0]
    np.testing.assert_allclose(there[:, 0], direct, atol=3e-4)


def test_ahead_is_only_who_is_clear_of_chance():
    measured = made_up({"recurrent": [5, 5, 9, 6], "transformer": [5.4, 7, 5, 6]})
    assert measured.ahead("transformer", "recurrent", "bleu") == (1,)
    assert measured.ahead("recurrent", "transformer", "bleu") == (2,)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_point_says_its_number_and_nothing_leaves_the_sheet(folder, language):
    say, measured = translate(language), numbers.read(found_in(folder))
    drawn = curves(measured, "additive", (0.5, "here"), say)
    for sheet in (drawn, drawn.narrow):
        tips = {mark["name"]: mark["tip"] for mark in sheet.marks if mark["shape"] == "circle"}
        assert len(tips) == 2 * len(RIVALS) * len(measured.buckets)
        for name in RIVALS:
            for bucket, (value, low, high) in zip(
                measured.buckets, measured.scores[name, "bleu"], strict=False
            ):
                tip = tips[f"bleu.{name}.{bucket.first}"]
                assert f"{value:.1f} [{low:.1f}, {high:.1f}]" in tip and str(bucket.sentences) in tip
        for mark in sheet.marks:
            if mark["shape"] == "circle":
                assert 0 <= mark["x"] <= sheet.wide and 0 <= mark["y"] <= sheet.high
            if mark["shape"] == "text" and mark.get("anchor") is None:
                assert mark["x"] + 0.9 * width(mark["text"], mark["size"], None) <= sheet.wide + 2


def test_higher_is_better_and_longer_is_further_right(folder):
    measured = numbers.read(found_in(folder))
    marks = {mark.get("name"): mark for mark in curves(measured, "additive", None, say).marks}
    for name in RIVALS:
        points = [marks[f"log_prob.{name}.{bucket.first}"] for bucket in measured.buckets]
        assert [point["x"] for point in points] == sorted(point["x"] for point in points)
    some = [(measured.scores[name, "log_prob"][0, 0], marks[f"log_prob.{name}.1"]["y"]) for name in RIVALS]
    assert [y for _, y in sorted(some)] == sorted((y for _, y in some), reverse=True)


def test_the_end_of_training_stands_between_the_buckets_it_parts():
    buckets = [numbers.Bucket(1, 9, 30), numbers.Bucket(10, 20, 30)]
    assert numbers.place_of(9, buckets) == 0.5
    assert 0.5 < numbers.place_of(15, buckets) < 1.5


def test_names_at_the_ends_of_curves_never_lie_on_each_other():
    measured = made_up({name: [3.0, 3.0, 3.0] for name in RIVALS})
    names = [
        mark
        for mark in curves(measured, "additive", None, say).marks
        if mark.get("name", "").endswith(".name")
    ]
    for side in numbers.MEASURES:
        heights = sorted(mark["y"] for mark in names if mark["name"].startswith(side))
        assert len(heights) == len(RIVALS) and min(np.diff(heights)) >= 13


def looks(target: int, source: int) -> Looks:
    rng = np.random.default_rng(0)
    some = {name: rng.dirichlet(np.ones(source), target) for name in RIVALS[1:]}
    held = shares(rng.random(source))
    words = [[f"{side}{place}" for place in range(count)] for side, count in (("s", source), ("t", target))]
    return Looks(some, dict.fromkeys(some, "map"), RIVALS[0], rng.normal(size=24), held, *words)


@pytest.mark.parametrize("shape", [(1, 2), (9, 12), (128, 128)])
def test_rows_say_where_each_looks_most(shape):
    shown, row = looks(*shape), shape[0] // 2
    for sheet in (drawn := maps(shown, row, say), drawn.narrow):
        rows = {mark["name"]: mark for mark in sheet.marks if ".row." in mark.get("name", "")}
        assert len(rows) == 4 * shape[0]
        assert {name for name, mark in rows.items() if mark["on"]} == {
            f"{name}.row.{row}" for name in RIVALS[1:]
        }
        best = f"s{shown.maps['additive'][row].argmax()}"
        assert best in rows[f"additive.row.{row}"]["tip"] and f"t{row}" in rows[f"additive.row.{row}"]["tip"]
    for sheet in (drawn := one_row(shown, row, say), drawn.narrow):
        cells = {mark["name"]: mark for mark in sheet.marks if mark["shape"] == "rect"}
        for name in shown.names:
            said = [float(cells[f"{name}.{place}"]["tip"].rpartition(": ")[2]) for place in range(shape[1])]
            np.testing.assert_allclose(said, shown.row_of(name, row), atol=5.1e-4)
        assert max(mark["x"] + mark["wide"] for mark in cells.values()) <= sheet.wide + 1


def test_the_first_row_is_one_where_they_are_sure_and_that_says_something():
    sure = np.array([[0.5, 0.5], [0.9, 0.1], [0.2, 0.8], [1.0, 0.0]])
    assert first_row([sure, sure], ["le", "chien", "grand", "·eau"]) == 1
    assert first_row([sure, sure], ["a", "b", "c", "."]) == 3


def test_our_sentence_grows_by_whole_clauses():
    sentences = [grown(clauses) for clauses in range(1, len(GROWING) + 1)]
    for short, long in pairwise(sentences):
        assert long.startswith(short[:-1]) and len(long.split()) > len(short.split()) + 4
    assert all(each.endswith(".") and ",." not in each for each in sentences)


def test_the_finding_is_of_the_file(rivals, folder):
    app, measured = open_app("why", s=TEXT, five="asked"), numbers.read(found_in(folder))
    for name in (numbers.FIXED, numbers.LOOKING):
        for place in (0, -2):
            assert f"{measured.scores[name, 'bleu'][place, 0]:.1f}" in said(app)
    (table,) = (each.value for each in app.markdown if each.value.startswith("|"))
    for each in found_in(folder)["models"].values():
        assert f"{each['training']['weights']:,}" in table
    assert "1:01" not in table and "4,000" in table


def test_all_five_are_shown_with_what_they_write(rivals, folder):
    app = open_app("why", s=TEXT, five="asked", lang="en")
    drawn = [each for each in app.get("bidi_component") if "row.additive" in each.proto.json]
    marks = {mark["name"]: mark for mark in json.loads(drawn[0].proto.json)["marks"] if "name" in mark}
    for name in RIVALS:
        own = room.load_rival(name).translate(TEXT)
        assert marks[f"row.{name}"]["tip"].endswith(own.text)
        mean = np.mean(own.log_probs)
        assert float(marks[f"{name}.sure"]["text"].replace("−", "-")) == pytest.approx(mean, abs=0.006)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", ["Yes.", "The cat sees the dog and " * 22])
def test_any_sentence_says_something_or_why_not(rivals, language, text):
    for view in ("quality", "looks"):
        app = open_app("why", s=text.strip(), lang=language, five="asked", length_view=view, length_row="999")
        assert not app.exception and said(app)
    write(app, TEXT)


def test_without_a_measurement_one_sentence_says_so(rivals, folder, monkeypatch):
    monkeypatch.setattr(state, "FILE", "nothing.json")
    app = open_app("why", s=TEXT, five="asked")
    assert say("why.length.none") in said(app)


def test_opening_the_page_loads_none_of_them(rivals, monkeypatch):
    loaded = []
    monkeypatch.setattr(state, "load_rival", lambda name: loaded.append(name) or room.load_rival(name))
    app = open_app("why", s=TEXT)
    assert not loaded
    app.button(key="ask_five").click().run()
    assert not app.exception and sorted(loaded) == sorted(RIVALS)


def test_a_network_that_writes_nothing_is_told_of(rivals, monkeypatch):
    empty = room.load_rival("additive").translate(TEXT)
    nothing = type(empty)((2,), (-0.1,), empty.alternatives[:1], True, -0.1, "", ("</s>",))
    monkeypatch.setattr(state, "written_by", lambda name, text: nothing)
    app = open_app("why", s=TEXT, length_view="looks")
    assert say("why.length.no_words", name=say("network.transformer")) in said(app)
    assert not open_app("why", s=TEXT, five="asked").exception
