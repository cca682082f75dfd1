"""Edits as JSON, there and back, and nonsense refused in one sentence."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.inspect import edits
from model.inspect.edits_json import NAMES, from_json, to_json
from tests.helpers.edited import EVERY_EDIT, REPLAY_ONLY, name


class TestJson:
    @pytest.mark.parametrize("edit", [*EVERY_EDIT, *REPLAY_ONLY], ids=name)
    def test_an_edit_survives_its_json(self, edit):
        assert from_json(to_json([edit])) == (edit,)
        assert hash(edit) == hash(from_json(to_json([edit]))[0])

    def test_every_kind_of_edit_has_a_name(self):
        assert {type(edit) for edit in (*EVERY_EDIT, *REPLAY_ONLY)} == set(NAMES.values())

    def test_the_documented_form_is_read(self):
        (edit,) = from_json(
            '{"edit": "scale", "where": "encoder.layers.2.self_attention", "head": 4, "factor": 0}'
        )
        assert edit == edits.Scale("encoder.layers.2.self_attention", 4, 0.0)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("{", "not valid JSON"),
            ("3", "an edit looks like"),
            ('{"edit": "scael"}', "did you mean 'scale'"),
            ('{"edit": "zzz"}', "there are scale, uniform"),
            ('{"edit": "hide"}', "lacks its field 'position'"),
            ('{"edit": "hide", "position": "2"}', "position must be a whole number, not '2'"),
            ('{"edit": "hide", "position": true}', "position must be a whole number"),
            ('{"edit": "hide", "position": -1}', "position must be 0 or more, not -1"),
            ('{"edit": "hide", "where": 3}', "no field 'where'"),
            ('{"edit": "scale", "where": "logits", "head": 1}', "the path of an attention sublayer"),
            ('{"edit": "temperature", "where": "encoder.layers.0.self_attention", "value": 0}', "above 0"),
            ('{"edit": "temperature", "where": "encoder.layers.0.self_attention", "value": NaN}', "above 0"),
            (
                '{"edit": "row", "where": "a.self_attention", "head": 0, "query": 0, "weights": []}',
                "sum above 0",
            ),
            (
                '{"edit": "row", "where": "a.self_attention", "head": 0, "query": 0, "weights": "x"}',
                "list of numbers",
            ),
            (
                '{"edit": "skip", "where": "encoder.layers.0.self_attention", "part": "half"}',
                "sublayer or residual",
            ),
        ],
    )
    def test_nonsense_gets_one_clear_sentence(self, text, message):
        with pytest.raises(ValueError, match=message) as refused:
            from_json(text)
        assert "\n" not in str(refused.value)

    @given(st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(sorted(NAMES)),
        lambda inner: st.lists(inner) | st.dictionaries(
            st.sampled_from(["edit", "where", "head", "factor", "position", "weights", "query"]), inner),
    ))  # fmt: skip
    @settings(max_examples=200)
    def test_any_json_is_an_edit_or_a_value_error(self, data):
        try:
            assert all(isinstance(edit, edits.Edit) for edit in from_json(json.dumps(data)))
        except ValueError as refused:
            assert str(refused)
