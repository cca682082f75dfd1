import json
import pickle
import shutil

import pytest
import torch

from model import checkpoint, load
from tests.helpers.tiny import SENTENCES, VOCABULARY, tiny_tokenizer, tiny_translator

FILES = ("config.json", "weights.safetensors", "tokenizer.model")


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("saved") / "tiny"
    translator = tiny_translator(tiny_tokenizer())
    checkpoint.save(folder, translator.model, translator.tokenizer)
    return folder, translator


@pytest.fixture
def folder(saved, tmp_path):
    return shutil.copytree(saved[0], tmp_path / "copy")


def test_a_checkpoint_gives_back_the_model_to_half_precision(saved):
    folder, original = saved
    loaded = load(folder)
    assert not any(module.training for module in loaded.model.modules())
    for (name, old), (same_name, new) in zip(
        original.model.named_parameters(), loaded.model.named_parameters(), strict=True
    ):
        assert name == same_name
        assert new.dtype == torch.float32
        assert torch.equal(new, old.half().float())
    assert loaded.tokenizer.encode(SENTENCES[0]) == original.tokenizer.encode(SENTENCES[0])


def test_saving_what_was_loaded_changes_no_byte(folder, tmp_path):
    loaded = load(folder)
    checkpoint.save(tmp_path / "again", loaded.model, loaded.tokenizer)
    for name in (*FILES, "SHA256SUMS"):
        assert (tmp_path / "again" / name).read_bytes() == (folder / name).read_bytes()


@pytest.mark.parametrize("name", [*FILES, "SHA256SUMS"])
def test_a_missing_file_is_named(folder, name):
    (folder / name).unlink()
    with pytest.raises(ValueError, match=f"{name} is missing"):
        load(folder)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("damage", ["flip", "cut", "empty"])
def test_a_damaged_file_is_named(folder, name, damage):
    content = bytearray((folder / name).read_bytes())
    middle = len(content) // 2
    if damage == "flip":
        content[middle] ^= 1
    (folder / name).write_bytes({"flip": content, "cut": content[:middle], "empty": b""}[damage])
    with pytest.raises(ValueError, match=name):
        load(folder)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("damage", ["cut", "empty", "pickle"])
def test_a_file_that_is_not_what_it_should_be_is_named_even_if_its_sum_fits(folder, name, damage):
    content = (folder / name).read_bytes()
    (folder / name).write_bytes(
        {"cut": content[: len(content) // 2], "empty": b"", "pickle": pickle.dumps({"a": 1})}[damage]
    )
    checkpoint.seal(folder)
    with pytest.raises(ValueError, match=name):
        load(folder)


@pytest.mark.parametrize("change", [{"width": 64}, {"layers": 3}, {"heads": 0}, {"positions": "learned"}])
def test_weights_of_another_shape_are_refused(folder, change):
    config = json.loads((folder / "config.json").read_text()) | change
    (folder / "config.json").write_text(json.dumps(config))
    checkpoint.seal(folder)
    with pytest.raises(ValueError, match="weights.safetensors does not fit config.json|config.json: heads"):
        load(folder)


def test_a_vocabulary_of_another_size_is_refused(folder):
    config = json.loads((folder / "config.json").read_text()) | {"vocabulary": VOCABULARY + 1}
    (folder / "config.json").write_text(json.dumps(config))
    checkpoint.seal(folder)
    with pytest.raises(ValueError, match=f"has {VOCABULARY} pieces and config.json says {VOCABULARY + 1}"):
        load(folder)


def test_a_swapped_file_is_named(folder, tmp_path):
    other = tiny_translator(tiny_tokenizer(), seed=1)
    checkpoint.save(tmp_path / "other", other.model, other.tokenizer)
    shutil.copy(tmp_path / "other" / "weights.safetensors", folder)
    with pytest.raises(ValueError, match="weights.safetensors is damaged or of another checkpoint"):
        load(folder)


def test_a_listed_extra_must_be_there(folder):
    (folder / "card.md").write_text("about\n")
    checkpoint.seal(folder)
    load(folder)
    (folder / "card.md").unlink()
    with pytest.raises(ValueError, match="card.md is missing"):
        load(folder)


def test_an_unknown_name_is_refused_with_what_there_is():
    with pytest.raises(ValueError, match="no checkpoint 'nowhere'.*en-fr"):
        load("nowhere")


def test_the_untrained_twin_has_the_same_shape_and_other_weights(folder):
    trained, twin, again = load(folder), load(folder, untrained=True), load(folder, untrained=True)
    assert twin.config == trained.config
    weights = [translator.model.to_vocabulary.weight for translator in (trained, twin, again)]
    assert torch.equal(weights[1], weights[2])
    assert not torch.equal(weights[0], weights[1])


def test_loading_leaves_the_callers_random_numbers_alone(folder):
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    load(folder)
    assert torch.equal(torch.rand(3), expected)


def test_an_interrupted_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "file"
    checkpoint.write(path, b"old")
    monkeypatch.setattr("os.fsync", lambda descriptor: (_ for _ in ()).throw(OSError("power cut")))
    with pytest.raises(OSError, match="power cut"):
        checkpoint.write(path, b"new")
    assert path.read_bytes() == b"old"
