"""The film of the training: its last moment is the model that ships, and specialists appear when they do."""

import numpy as np

from model.checkpoint import find
from model.network.kinds import KINDS
from model.text.treebank import french_pieces, pieces_of_words
from model.training.data import read_pairs
from model.training.film import SENTENCES, read_film, read_links
from viz.pages.atlas.numbers import film as films


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


def test_the_films_links_fit_its_sentences(translator):
    for sentence in read_links():
        assert pieces_of_words(sentence, translator.read(sentence.text)) is not None, sentence.text
        assert french_pieces(sentence, translator.read(sentence.french)) is not None, sentence.french
        linked = sentence.alignment.sure | sentence.alignment.possible
        assert {one for one, _ in linked} == set(range(len(sentence.words)))
        assert {other for _, other in linked} == set(range(len(sentence.french_words)))
