"""The atlas as pages show it: arrays from its file, exemplars from patterns, the film's moments."""

import json

import numpy as np
import pytest

from model.checkpoint import find
from model.probe import HAND
from model.text.treebank import french_pieces, pieces_of_words, read
from model.training.data import read_pairs
from model.training.film import SENTENCES, read_film, read_links
from viz.pages.atlas.figures import film as film_figures
from viz.pages.atlas.figures import heads as figures
from viz.pages.atlas.numbers import exemplars
from viz.pages.atlas.numbers import film as films
from viz.state import atlas as atlases
from viz.state.selection import KINDS
from viz.text import translate
from viz.widgets.names import head_name, name_of

say = translate("en")


@pytest.fixture(scope="module")
def atlas(translator) -> dict:
    return json.loads((find(translator.name) / "atlas.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def probes(translator):
    sentences = [sentence for sentence in read(HAND) if sentence.alignment][:6]
    return list(exemplars.probes(translator, sentences))


def test_every_head_has_an_entry_and_every_measure_an_array(translator, atlas):
    config = translator.config
    assert len(atlas["heads"]) == 3 * config.layers * config.heads
    for kind in KINDS:
        for name in atlases.names(atlas):
            found = atlases.values(atlas, name, kind)
            assert found.shape == (config.layers, config.heads)
            entry = atlases.card(atlas, kind, 1, 2)["measures"].get(name, {}).get("value")
            np.testing.assert_equal(found[1, 2], np.nan if entry is None else entry)


def test_a_role_needs_evidence_clear_of_baseline_and_null(atlas):
    named = {(each["kind"], each["layer"], each["head"]): each for each in atlas["heads"]}
    for role in atlas["evidence"]:
        assert role["role"] in named[role["kind"], role["layer"], role["head"]]["roles"]
        if role["measure"].startswith("aer."):
            assert role["high"] < role["baseline"] and role["high"] < role["null_low"]
        else:
            assert role["low"] > (role["baseline"] or 0) and role["low"] > role["null_high"]
    assert atlas["hypotheses"]["tested"] >= atlas["hypotheses"]["held"] == len(atlas["evidence"])


def test_the_aligner_is_the_best_of_those_whose_role_held():
    def head(number: int, error: float, *roles: str) -> dict:
        measures = {"aer.predicted": {"value": error}}
        return {"kind": "cross", "layer": 1, "head": number, "measures": measures, "roles": roles}

    heads = [head(0, 0.1), head(1, 0.3, "alignment.predicted"), head(2, 0.2, "same", "alignment.predicted")]
    assert atlases.aligner({"heads": heads}) == (1, 2)
    assert atlases.aligner({"heads": heads[:1]}) is None


def test_the_nearest_heads_are_of_the_same_kind_and_not_itself(atlas):
    for kind in KINDS:
        near = atlases.alike(atlas, kind, 0, 0)
        distances = [distance for *_, distance in near]
        assert distances == sorted(distances) and all((layer, head) != (0, 0) for layer, head, _ in near)


def test_patterns_of_probes_are_those_of_the_model(translator, probes):
    for probe in probes[:2]:
        trace = translator.trace(probe.sentence.text, probe.target.ids)
        for kind in KINDS:
            layers, heads = trace.attention[kind].shape[:2]
            flat = trace.attention[kind].reshape(layers * heads, *trace.attention[kind].shape[2:])
            np.testing.assert_allclose(probe.attention[kind], flat, atol=1e-3)


def test_a_detector_counts_what_one_would_count_by_hand(translator, probes):
    found = [exemplars.observed(probe, "encoder", translator.config.vocabulary) for probe in probes]
    shares, count = exemplars.detected(found, "offset.-1")
    hits, asked = 0, 0
    for probe in probes:
        weights = probe.attention["encoder"][3].astype(float)
        special = np.array(probe.source.words) < 0
        weights[:, special] = -1
        for row in range(1, len(weights)):
            if special[row - 1]:
                continue
            asked += 1
            hits += weights[row].argmax() == row - 1
    assert count == asked
    np.testing.assert_allclose(shares[3], hits / asked, atol=1e-6)


def test_exemplars_go_from_the_strongest_to_where_it_does_not(translator, probes):
    found = [exemplars.observed(probe, "encoder", translator.config.vocabulary) for probe in probes]
    order = exemplars.ranked(found, "self", 2)
    assert [value for _, value in order] == sorted((value for _, value in order), reverse=True)
    shown = exemplars.deciles(order)
    assert shown[0][1:] == order[0] and shown[-1][1:] == order[-1]
    assert len({number for _, number, _ in shown}) == len(shown)
    assert exemplars.deciles([]) == []


def test_a_painted_diagonal_finds_a_head_that_looks_there():
    attention = np.stack([np.full((4, 4), 0.25), np.eye(4), np.eye(4)[::-1]])
    found = exemplars.painted(attention, np.ones((4, 4), bool), [(1, 1), (2, 2)])
    assert found.argmax() == 1 and found[1] == 1 and found[0] == 0.25
    assert not exemplars.painted(attention, np.zeros((4, 4), bool), [(0, 0)]).any()


def test_aligned_words_are_scored_by_their_sure_links(translator, probes):
    for probe in probes:
        if probe.aligned is None:
            continue
        tally = exemplars.observed(probe, "cross", translator.config.vocabulary)["aligned"]
        linked = {french for _, french in probe.sentence.alignment.sure}
        assert tally.count == len(linked) and (np.asarray(tally.totals) <= tally.count).all()


def test_the_film_ends_with_the_weights_that_ship(translator):
    film = read_film(find(translator.name) / "film.npz")
    found = films.courses(film, translator)
    shape = len(film["steps"]), translator.config.layers, translator.config.heads
    for kind in KINDS:
        assert all(course.shape == shape for course in found[kind].values())
    source, reference = (film[name][0] for name in ("sources", "references"))
    trace = translator.trace(str(source), translator.read(str(reference)).ids)
    shown = film["cross.0"][-1] / 255
    np.testing.assert_allclose(shown, trace.attention["cross"], atol=0.5 / 255 + 2e-3)


def filmed(translator, *patterns):
    """A film of the first sentence alone, one layer and one head, whose patterns are given by moments."""
    source, french = read_pairs(SENTENCES)[0]
    reads, writes = (len(translator.read(text).ids) for text in (source, french))
    sizes = {"encoder": (reads, reads), "decoder": (writes, writes), "cross": (writes, reads)}
    film = {"sources": np.array([source]), "references": np.array([french])}
    for kind, size in sizes.items():
        film[f"{kind}.0"] = np.stack([pattern(*size) for pattern in patterns])[:, None, None]
    return film


def even(queries, keys):
    return np.full((queries, keys), 255 // keys, np.uint8)


def before(queries, keys):
    """Every row looks at the position before its own, the first at itself."""
    weights = np.zeros((queries, keys), np.uint8)
    weights[np.arange(queries), np.clip(np.arange(queries) - 1, 0, keys - 1)] = 255
    return weights


def test_a_head_that_learns_to_look_back_appears_when_it_does(translator):
    found = films.courses(filmed(translator, even, even, before, before), translator)
    course = found["encoder"]["previous"][:, 0, 0]
    assert course[0] < 0.2 and course[2] == course[3] == 1
    role = {"kind": "encoder", "layer": 0, "head": 0, "measure": "previous"}
    offset = {"kind": "encoder", "layer": 0, "head": 0, "measure": "offset"}
    atlas = {"evidence": [role, offset], "best": {}, "offsets": {kind: [[-1]] for kind in KINDS}}
    assert [each.moment for each in films.specialists(atlas, found)] == [2, 2]
    relation = {**role, "measure": "relation.det.to_head"}  # the film's sentences have no trees
    assert not films.specialists({**atlas, "evidence": [relation]}, found)


def test_perfect_alignment_is_no_error_in_the_film(translator):
    """A pattern that follows the links errs nowhere about what it predicts, and often about what it reads."""
    sentence = read_links()[0]
    source, target = translator.read(sentence.text), translator.read(sentence.french)
    english, french = pieces_of_words(sentence, source), french_pieces(sentence, target)

    def linked(queries, keys):
        weights = np.zeros((queries, keys), np.uint8)
        for one, other in sentence.alignment.sure:
            for row in french[other]:
                weights[row] = 0
                weights[row, english[one]] = 255 // len(english[one])
        return weights

    found = films.courses(
        filmed(
            translator,
            lambda *size: (
                linked(len(target.ids), len(source.ids))
                if size == (len(target.ids), len(source.ids))
                else even(*size)
            ),
        ),
        translator,
    )
    assert found["cross"]["aer.predicted"][0, 0, 0] == 0
    assert found["cross"]["aer.read"][0, 0, 0] > 0.5


def test_the_curves_go_through_all_that_the_log_tells_with_a_dot_at_each_moment():
    film = {
        "steps": [0, 2, 8],
        "dev_losses": [9.0, 7.0, 1.0],
        "bleus": [0.0, 1.0, 30.0],
        "rates": [0.0, 2.0, 0.0],
    }
    log = [
        {"step": 1, "rate": 1.0, "loss": 8.0},
        {"step": 4, "rate": 0.0, "loss": 5.0},
        {"step": 4, "dev_loss": 5.0, "bleu": 12.0},
        {"step": 5, "rate": 1.5, "loss": 6.0},  # a second part begins
        {"step": 8, "dev_loss": 1.5, "bleu": 29.0},  # the last step; what ships is an average
    ]
    found = films.histories({name: np.array(values) for name, values in film.items()}, log)
    assert found == {
        "loss": {0: 9.0, 2: 7.0, 4: 5.0, 8: 1.0},
        "bleu": {0: 0.0, 2: 1.0, 4: 12.0, 8: 30.0},
        "rate": {0: 0.0, 1: 1.0, 2: 2.0, 4: 0.0, 5: 1.5, 8: 0.0},
    }
    assert list(found["rate"]) == sorted(found["rate"])
    drawn = film_figures.film(film["steps"], found, 1, say)
    lines = [
        len(mark["points"]) for mark in drawn.marks if mark["shape"] == "line" and mark.get("thick") == 2
    ]
    assert lines == [4, 4, 6]
    tips = [mark["tip"] for mark in drawn.marks if mark["shape"] == "circle"]
    assert len(tips) == 9 and f"{say('film.rate')}, 2: 2" in tips


def test_the_films_links_fit_its_sentences(translator):
    for sentence in read_links():
        assert pieces_of_words(sentence, translator.read(sentence.text)) is not None, sentence.text
        assert french_pieces(sentence, translator.read(sentence.french)) is not None, sentence.french
        linked = sentence.alignment.sure | sentence.alignment.possible
        assert {one for one, _ in linked} == set(range(len(sentence.words)))
        assert {other for _, other in linked} == set(range(len(sentence.french_words)))


def test_every_measure_and_every_head_has_a_name(monkeypatch, atlas):
    monkeypatch.setattr("viz.widgets.names.say", say)
    names = [name_of(name) for name in atlases.names(atlas)]
    assert len(set(names)) == len(names)
    assert head_name("cross", 0, 3) == "cross 1.4"


def test_a_block_shows_every_number_and_knows_its_heads():
    values = np.array([[0.25, np.nan], [1.0, -0.5]])
    drawn = figures.block(values, "encoder", 1.0, "t", roles={(0, 0): 2}, chosen=(1, 0))
    picks = {tuple(mark["pick"]): mark["tip"] for mark in drawn.marks if "pick" in mark}
    assert picks[("encoder", 0, 0)].endswith("0.25") and picks[("encoder", 0, 1)].endswith("–")
    json.dumps(drawn.data())
    drawn.svg()
