"""Positions: drawings and formulas carry the numbers they were given."""

from itertools import pairwise

import numpy as np

from viz.pages.positions import figures, formulas, numbers

WORDS = ["one", "two", "<three>"]


def test_every_part_is_drawn_with_its_number_and_bars_do_not_overlap():
    parts = np.array([[1.0, -2, 0.5], [2, 1, -1], [-1, 0, 0], [0.5, -0.5, 2], [0, 0, 0], [-3, 1, 1]])
    names = list("abcdef")
    drawn = figures.stacked(parts, parts.sum(0), WORDS, names, title="parts", total="score")
    marks = {mark["name"]: mark for mark in drawn.marks if "name" in mark}
    for place, word in enumerate(WORDS):
        boxes = [marks[f"{name}@{place}"] for name in names]
        for name, box, value in zip(names, boxes, parts[:, place], strict=True):
            assert box["tip"] == f"{word} · {name}: {value:.5g}"
        ends = sorted((box["x"], box["x"] + box["wide"]) for box in boxes if box["wide"] > 0.5)
        assert all(after[0] >= before[1] - 0.2 for before, after in pairwise(ends))
        assert marks[f"sum@{place}"]["text"] == f"{parts[:, place].sum():.2f}"
    assert "&lt;three&gt;" in drawn.svg() and "<three>" not in drawn.svg()


def test_a_hand_points_where_its_pair_says():
    drawn = figures.clock(
        np.array([0.0, 1.0]), np.array([1.0, 0.0]), 0, names=("p", "q"), title="clock", angles=(0, np.pi / 2)
    )
    p, q = (mark for mark in drawn.marks if mark.get("name"))
    face = drawn.marks[0]
    assert (p["x"], p["y"]) == (face["x"], face["y"] - face["radius"])  # twelve o'clock
    assert (q["x"], q["y"]) == (face["x"] + face["radius"], face["y"])  # a quarter past


def test_formulas_carry_the_numbers():
    table = numbers.table(16, 8, 100)
    written = formulas.dot_product(table, 2, 5)
    assert f"= {float(table[2] @ table[5]):.4f}" in written
    matrix = numbers.rotation(3, 8, 100)[1]
    written = formulas.turned(matrix, table[2, 2:4], table[5, 2:4])
    for value in (*matrix.ravel(), *table[2, 2:4], *table[5, 2:4]):
        assert f"{value:.3f}" in written
