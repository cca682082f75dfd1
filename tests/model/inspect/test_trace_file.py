"""A trace as a file that anything can read."""

import json

import numpy as np
import pytest

from model.inspect.recorded import ATTENTION_POINTS
from model.inspect.trace_file import save_trace
from model.network.kinds import KINDS
from tests.helpers.inspected import TEXT, translator

pytestmark = pytest.mark.usefixtures("short_translations")


def test_what_was_asked_for_by_its_path_is_in_the_file(tmp_path):
    paths = ["encoder.layers.0.self_attention.pattern", "decoder.layers.0.after_feed_forward"]
    save_trace(translator.trace(TEXT, keep=paths), tmp_path / "part.npz")
    with np.load(tmp_path / "part.npz", allow_pickle=False) as file:
        assert {f"points.{paths[0]}", f"stream.decoder.{paths[1]}"} <= set(file.files)
        assert "top.ids" not in file.files


@pytest.mark.parametrize("name", ["trace.npz", "trace.json"])
def test_a_saved_trace_is_read_without_headlight(trace, tmp_path, name):
    path = tmp_path / name
    save_trace(trace, path)
    if path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as file:
            found = dict(file)
    else:
        found = {key: np.array(value) for key, value in json.loads(path.read_text("utf-8")).items()}
    for field in ATTENTION_POINTS:
        for kind in KINDS:
            np.testing.assert_allclose(found[f"{field}.{kind}"], getattr(trace, field)[kind])
    for stack, arrays in trace.stream.items():
        for hook, array in arrays.items():
            np.testing.assert_allclose(found[f"stream.{stack}.{hook}"], array)
    assert found["source.pieces"].tolist() == list(trace.source.pieces)
    assert found["target.predicted"].tolist() == list(trace.target.predicted)
    assert str(found["translation.text"]) == trace.translation.text
    np.testing.assert_array_equal(found["top.ids"], trace.top.ids)
    assert found["checks.passed"].tolist() == [1] * len(trace.checks)
    assert all(np.isfinite(array).all() for array in found.values() if array.dtype.kind == "f")
