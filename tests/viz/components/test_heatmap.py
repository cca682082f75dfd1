"""The heatmap as data: its words, and numbers to both sides of zero."""

import numpy as np
import pytest

from tests.helpers.pictures import say, some, unpacked
from viz.components import heatmap
from viz.components.payload import SCALE


def test_a_line_between_columns_of_two_kinds_travels_with_the_map_that_has_one():
    shown = some(5, 5)
    said = {"label": "a", "rows": "b", "columns": "c", "unit": "d"}
    for divide in (None, 3):
        data = heatmap.packed(
            shown.combined, shown.mask, shown.queries, shown.keys, say, divide=divide, **said
        )
        assert unpacked(data)[0]["divide"] == divide


def test_a_map_travels_with_its_words_and_a_difference_with_both_signs():
    shown = some(5, 5)
    said = {"label": "a", "rows": "b", "columns": "c", "unit": "d"}
    change = shown.combined - shown.combined.T
    most = float(abs(change).max())
    data = heatmap.packed(change, shown.mask, shown.queries, shown.keys, say, least=-most, most=most, **said)
    header, numbers = unpacked(data)
    assert header["queries"] == list(shown.queries)
    assert [text for _, text in header["ticks"]] == [f"{-most:.3g}", "0", f"{most:.3g}"]
    np.testing.assert_allclose(numbers[0] / SCALE * 2 * most - most, change, atol=most / 60_000)
    with pytest.raises(ValueError, match="does not fit"):
        heatmap.packed(change, shown.mask, shown.queries[1:], shown.keys, say, **said)
