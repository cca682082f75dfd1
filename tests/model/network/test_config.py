import json

import pytest
import torch

from model.network.config import PRESETS, Config, preset
from model.network.kinds import KINDS
from model.network.transformer import Transformer


def count(config: Config) -> int:
    with torch.device("meta"):
        return sum(parameter.numel() for parameter in Transformer(config).parameters())


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("tiny", 52_352), ("small", 9_420_800), ("base", 63_082_496), ("big", 214_245_376)],
)
def test_presets_have_exactly_these_parameters(name, parameters):
    assert count(preset(name)) == parameters


@pytest.mark.parametrize(("name", "paper"), [("base", 65e6), ("big", 213e6)])
def test_the_papers_shapes_are_within_four_percent_of_the_papers_counts(name, paper):
    assert PRESETS[name].vocabulary == 37_000
    assert abs(count(preset(name)) / paper - 1) < 0.04


def test_untying_adds_two_embedding_matrices():
    tied, untied = preset("tiny"), preset("tiny", tied=False)
    assert count(untied) - count(tied) == 2 * tied.vocabulary * tied.width


def test_a_config_survives_its_file():
    config = preset("small", positions="rotary", window=3, tied=False)
    assert Config.from_json(config.to_json()) == config


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"width": 30}, "width 30 does not split into 4 heads"),
        (
            {"positions": "sine"},
            "positions is one of sinusoidal, learned, rotary, none, not 'sine'",
        ),
        ({"activation": "tanh"}, "activation is one of relu, gelu, swish, not 'tanh'"),
        ({"dropout": 1.0}, "dropout must lie in"),
        ({"layers": 0}, "layers must be a whole number of at least 1, not 0"),
        ({"window": -1}, "window must be"),
        (
            {"width": 36, "heads": 4, "positions": "rotary"},
            "rotary positions need an even head width",
        ),
    ],
)
def test_an_impossible_shape_is_refused_with_its_number(change, message):
    with pytest.raises(ValueError, match=message):
        preset("tiny", **change)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not valid JSON"),
        ("[]", "not a JSON object"),
        (preset("tiny").to_json().replace("heads", "hats"), "unknown field 'hats'"),
        ('{"vocabulary": 300}', "missing field 'activation'"),
    ],
)
def test_a_config_file_that_is_not_one_is_refused_by_what_is_wrong(text, message):
    with pytest.raises(ValueError, match=message):
        Config.from_json(text)


def test_a_checkpoint_of_before_is_what_it_was():
    """What came later is left out of the file where it changes nothing, and missing means the same."""
    config = preset("tiny")
    later = {"decoder_layers", "tied_output", "scaled", "output_bias", "taught"}
    assert not later & {*json.loads(config.to_json())}
    assert Config.from_json(config.to_json()) == config
    other = preset("tiny", decoder_layers=1, tied=False, tied_output=True, scaled=False, output_bias=True)
    assert Config.from_json(other.to_json()) == other
    assert [other.depth(kind) for kind in KINDS] == [2, 1, 1]
    with pytest.raises(ValueError, match="only a Transformer has output_bias"):
        preset("recurrent", output_bias=True)
    with pytest.raises(ValueError, match="decoder_layers must be a whole number"):
        preset("tiny", decoder_layers=0)


def test_what_others_models_have_adds_just_its_own_parameters():
    plain, apart = count(preset("tiny")), preset("tiny", tied=False, tied_output=True, output_bias=True)
    assert count(apart) - plain == apart.vocabulary * (apart.width + 1)
