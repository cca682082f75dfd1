"""Folders that are no Marian model, or worse: refused by name, and nothing in them is executed."""

import json
import os
import shutil
import struct
import zipfile

import pytest
import torch

from model.commands.shell import main
from model.marian.convert import convert
from model.marian.pickled import Pickled
from tests.helpers.marian import write_folder

NEEDED = ("config.json", "model.safetensors", "source.spm", "target.spm", "vocab.json")


class Bomb:
    """What a pickle executes when it is loaded."""

    def __init__(self, mark) -> None:
        self.mark = mark

    def __reduce__(self):
        return os.system, (f"touch {self.mark}",)


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    folder = tmp_path_factory.mktemp("usual")
    write_folder(folder)
    return folder


@pytest.fixture
def folder(usual, tmp_path):
    """A copy to spoil."""
    return shutil.copytree(usual, tmp_path / "folder")


def refused(folder, message: str) -> None:
    out = folder.parent / "out"
    with pytest.raises(ValueError, match=message):
        convert(folder, out)
    assert not out.exists()


def change(path, **values) -> None:
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | values), "utf-8")


def pickled(folder, content, old: bool = False) -> None:
    (folder / "model.safetensors").unlink()
    torch.save(content, folder / "pytorch_model.bin", _use_new_zipfile_serialization=not old)


@pytest.mark.parametrize("old", [False, True])
def test_code_in_a_pickle_is_named_and_not_executed(folder, old):
    mark = folder / "executed"
    pickled(folder, {"model.shared.weight": torch.zeros(2), "more": Bomb(mark)}, old)
    refused(folder, r"pytorch_model.bin asks to import (posix|nt).system, and nothing in it is executed")
    assert not mark.exists()


@pytest.mark.parametrize("old", [False, True])
def test_the_other_ways_into_a_pickle_are_closed(folder, old):
    pickled(folder, {"weight": torch.nn.Linear(2, 2)}, old)
    refused(folder, "asks to import torch.nn.modules.linear.Linear")


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (b"cos\nsystem\n(S'true'\ntR.", "asks to import os.system"),
        (b"\x80\x04\x8c\x02os\x8c\x06system\x93.", "asks to import os.system"),
        (b"(S'true'\nios\nsystem\n.", "asks for STRING"),
        (b"(ios\nsystem\n.", "asks for INST"),
        (b"\x80\x02ccollections\nOrderedDict\n(K\x01tR.", "asks to call something that is no tensor"),
        (b"\x80\x02ctorch\nFloatStorage\n)\x81.", "asks for NEWOBJ"),
        (b"\x80\x02}K\x01K\x02s.", "is no file of named tensors"),
        (b"\x80\x02]q\x00h\x00a.", "is no file of named tensors"),
        (b"\x80\x02}", "is no file of named tensors"),
        (b".", "is no file of named tensors"),
        (b"\x80\x02" + b"(" * 50, "is no file of named tensors"),
        (b"\x8d" + struct.pack("<Q", 1 << 60) + b"x.", "is no file of named tensors"),
    ],
)
def test_programs_that_describe_no_tensors_are_refused(tmp_path, program, message):
    with zipfile.ZipFile(tmp_path / "file.bin", "w") as archive:
        archive.writestr("archive/data.pkl", program)
    with pytest.raises(ValueError, match=message):
        Pickled(tmp_path / "file.bin")


def test_a_tensor_beyond_its_numbers_is_refused(folder):
    weight = torch.zeros(4)
    pickled(folder, {"weight": weight})
    content = (folder / "pytorch_model.bin").read_bytes()
    assert content.count(b"K\x04") >= 2  # how many numbers there are, and the shape
    spoiled = content.replace(b"K\x04\x85", b"K\xc8\x85")
    (folder / "pytorch_model.bin").write_bytes(spoiled)
    refused(folder, "describes a tensor beyond its numbers|is no file of named tensors")


def test_numbers_that_are_not_there_are_refused(folder):
    pickled(folder, {"weight": torch.zeros(400)}, old=True)
    path = folder / "pytorch_model.bin"
    path.write_bytes(path.read_bytes()[:-400])
    refused(folder, "has no model|is no file of named tensors|ends within")


def test_pickled_weights_are_what_was_stored(tmp_path):
    tensors = {
        "half": torch.randn(3, 4).half(), "brain": torch.randn(5).bfloat16(), "empty": torch.zeros(0, 3),
        "part": torch.randn(8)[2:6], "parameter": torch.nn.Parameter(torch.randn(2, 2)),
    }  # fmt: skip
    for old in (False, True):
        torch.save(tensors, tmp_path / "file.bin", _use_new_zipfile_serialization=not old)
        found = Pickled(tmp_path / "file.bin")
        assert found.tensors.keys() == tensors.keys()
        for name, tensor in tensors.items():
            assert torch.equal(found.tensor(name), tensor.detach()), name


@pytest.mark.parametrize(
    "name", ["config.json", "model.safetensors", "source.spm", "target.spm", "vocab.json"]
)
def test_a_missing_file_is_named(folder, name):
    (folder / name).unlink()
    refused(folder, f"{name} is missing")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"model_type": "bart"}, "a 'bart' model, not Marian: its positions are learned"),
        ({"model_type": "t5"}, "a 't5' model, not Marian: its positions are biases"),
        ({"model_type": "m2m_100"}, "a 'm2m_100' model, not Marian: its layer norms"),
        ({"model_type": "gpt2"}, "a 'gpt2' model, not Marian: only Marian models"),
        ({"model_type": None}, "only Marian models"),
        ({"normalize_before": True}, "normalize_before True: its layer norms stand before"),
        ({"static_position_embeddings": False}, "its positions are learned"),
        ({"activation_function": "tanh"}, "activation_function 'tanh'; ours are relu, gelu, swish"),
        ({"decoder_attention_heads": 2}, "4 and 2 attention_heads"),
        ({"vocab_size": 10**15}, "vocab_size 1000000000000000, not a whole number"),
        ({"encoder_layers": 10**9}, "encoder_layers 1000000000, not a whole number"),
        ({"d_model": -4}, "d_model -4, not a whole number"),
        ({"d_model": "32"}, "d_model '32', not a whole number"),
        ({"d_model": 16_384, "encoder_layers": 200}, "has .* as .*asks for|has no model"),
        ({"d_model": 33}, "width 33 does not split into 4 heads"),
        ({"eos_token_id": 3}, "numbers </s> 0, and config.json says 3; they belong to different models"),
        ({"eos_token_id": [0, 1]}, r"eos_token_id \[0, 1\], which is none of its"),
        ({"pad_token_id": 10**9}, "pad_token_id 1000000000, which is none of its"),
        ({"encoder_layers": 3}, "has no model.encoder.layers.2"),
        (
            {"encoder_layers": 1},
            "has model.encoder.layers.1.*which no Marian model of",
        ),
        ({"share_encoder_decoder_embeddings": "yes"}, "neither true nor false"),
    ],
)
def test_a_config_that_does_not_fit_is_refused_by_what_is_wrong(folder, values, message):
    change(folder / "config.json", **values)
    refused(folder, message)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("config.json", b"[" * 100_000, "config.json is not valid JSON"),
        ("config.json", b"\xff{}", "config.json is not valid JSON"),
        ("config.json", b"[]", "config.json is not a JSON object"),
        ("config.json", b" " * ((1 << 20) + 1), "no such file has more than"),
        ("vocab.json", b'{"a": 0}', "has no </s>"),
        ("vocab.json", b'{"</s>": 0, "<unk>": 0}', "gives two pieces one number"),
        ("vocab.json", b'{"</s>": 0, "<unk>": 1, "x": 99999}', "belong to different models"),
        ("vocab.json", b'{"</s>": 0, "<unk>": true}', "belong to different models"),
        ("vocab.json", b'{"</s>": 0, "<unk>": 1}', "cuts into pieces that vocab.json mostly lacks"),
        ("source.spm", b"no model", "source.spm is not a SentencePiece model"),
        ("model.safetensors", b"\xff" * 64, "model.safetensors is damaged"),
        ("model.safetensors", b"", "model.safetensors is damaged"),
    ],
)
def test_a_file_that_is_something_else_is_refused_by_name(folder, name, content, message):
    (folder / name).write_bytes(content)
    refused(folder, message)


def test_files_of_two_models_do_not_mix(folder, tmp_path):
    write_folder(tmp_path / "other", d_model=48)
    shutil.copy(tmp_path / "other/model.safetensors", folder)
    refused(folder, r"model.safetensors has .* as .*48.*, and config.json asks for .*32")


def test_weights_that_say_two_things_of_one_matrix_are_refused(folder):
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    weights["lm_head.weight"] = weights["model.shared.weight"] + 1
    save_file(weights, folder / "model.safetensors")
    refused(folder, "has lm_head.weight unlike model.shared.weight")


def test_positions_that_were_learned_are_refused(folder):
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    weights["model.encoder.embed_positions.weight"] = torch.randn(64, 32)
    save_file(weights, folder / "model.safetensors")
    refused(folder, "no sinusoids: they were learned")


def test_names_of_files_elsewhere_are_never_followed(folder, tmp_path):
    """Only the usual names are opened, whatever tokenizer_config.json or an index says."""
    change(folder / "tokenizer_config.json", source_spm="/etc/passwd", vocab="../../secret")
    (folder / "model.safetensors").rename(tmp_path / "elsewhere")
    index = {"weight_map": {"model.shared.weight": "../elsewhere"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), "utf-8")
    refused(folder, "has its weights in several files")


def test_a_model_of_several_languages_wants_to_know_which(tmp_path):
    write_folder(tmp_path / "folder", languages=("fra", "ita"))
    change(tmp_path / "folder/tokenizer_config.json", target_lang="itc")
    refused(tmp_path / "folder", "this model writes 2 languages, fra, ita; say which with --to")
    with pytest.raises(ValueError, match="there is no 'kor'"):
        convert(tmp_path / "folder", tmp_path / "out", to="kor")


def test_the_shell_refuses_in_one_line(folder, capsys):
    change(folder / "config.json", model_type="mbart")
    assert main(["convert", str(folder), "--out", str(folder.parent / "out")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "'mbart' model, not Marian" in said and "Traceback" not in said
