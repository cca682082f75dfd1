"""Look: every weight drawn is the model's own, under the words that it stands between."""

import numpy as np

from tests.helpers.app import choose, maps, weights
from viz.figures.labels import readable
from viz.state.session import EXAMPLE
from viz.text import translate


def test_every_head_drawn_is_the_one_the_model_used(app, translator):
    trace = translator.trace(EXAMPLE)
    for kind, attention in trace.attention.items():
        layers, heads = attention.shape[:2]
        for layer, head in [(0, 0), (layers - 1, heads - 1)]:
            choose(app, kind=kind, layer=layer, head=[head])
            expected = np.where(trace.mask[kind][layer, head], attention[layer, head], np.nan)
            np.testing.assert_allclose(weights(app), expected, atol=1e-5)


def test_rows_and_columns_carry_the_right_sequence(app, translator):
    trace, say = translator.trace(EXAMPLE), translate("en")
    source, read, predicted = trace.source.pieces, trace.target.read, trace.target.predicted
    for choices, rows, columns in [
        ({"kind": "encoder"}, source, source),
        ({"kind": "decoder", "reading": "read"}, read, read),
        ({"kind": "decoder", "reading": "predicted"}, predicted, read),
        ({"kind": "cross", "reading": "read"}, read, source),
        ({"kind": "cross", "reading": "predicted"}, predicted, source),
    ]:
        header = maps(choose(app, **choices))[0][0]
        for axis, pieces in (("queries", rows), ("keys", columns)):
            assert header[axis] == [readable(piece, say) for piece in pieces]
        looking = f"target.{choices['reading']}" if "reading" in choices else "source.query"
        assert header["axes"][0] == say(f"axis.{looking}")
