"""The weights of a `pytorch_model.bin`, read without executing anything.

Such a file is a pickle: a program that its reader would run. Here it is only read (`opcodes.py`): it says how
tensors are called and where their numbers lie, and these are read from there.
"""

import io
import struct
import zipfile
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from model.marian.opcodes import Described, run

MAGIC, PROTOCOL = 0x1950A86A20F9469CFC6C, 1001  # what files before PyTorch 1.6 begin with
MOST = 1 << 24  # bytes of a program that describes tensors; the numbers themselves lie elsewhere


class Pickled:
    """Tensors of one file by name; numbers are read when they are asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._zipped = zipfile.is_zipfile(path)
        try:
            self.tensors = _named(self._read_zip() if self._zipped else self._read_old())
        except (zipfile.BadZipFile, struct.error, KeyError, IndexError, TypeError, EOFError, OverflowError):
            raise ValueError("is no file of named tensors") from None

    def tensor(self, name: str) -> Tensor:
        """One tensor's numbers, in memory of its own."""
        found = self.tensors[name]
        begin, size = found.offset * found.storage.dtype.itemsize, found.length * found.storage.dtype.itemsize
        with open(self.path, "rb") as file:
            file.seek(self._places[found.storage.key] + begin)
            content = file.read(size)
        if len(content) != size:
            raise ValueError(f"ends within {name}")
        if not size:
            return torch.empty(found.shape, dtype=found.storage.dtype)
        return torch.frombuffer(bytearray(content), dtype=found.storage.dtype).reshape(found.shape)

    def _read_zip(self) -> Any:
        self._places: dict[str, int] = {}  # where each storage begins in the file
        with zipfile.ZipFile(self.path) as archive, open(self.path, "rb") as file:
            members = {info.filename: info for info in archive.infolist()}
            programs = [name for name in members if name.count("/") == 1 and name.endswith("/data.pkl")]
            if len(programs) != 1:
                raise ValueError("is no file of PyTorch")
            program, folder = programs[0], programs[0].partition("/")[0]
            for name, info in members.items():
                if info.compress_type != zipfile.ZIP_STORED:
                    raise ValueError("is compressed, which PyTorch never does")
                if name.startswith(f"{folder}/data/"):
                    file.seek(info.header_offset + 26)
                    lengths = struct.unpack("<HH", file.read(4))
                    begin = info.header_offset + 30 + sum(lengths)
                    self._places[name.removeprefix(f"{folder}/data/")] = begin
            if members[program].file_size > MOST:
                raise ValueError("describes more tensors than any model has")
            sizes = {name.removeprefix(f"{folder}/data/"): info.file_size for name, info in members.items()}
            with archive.open(program) as described:
                found = run(described.read(MOST))
        for each in _named(found).values():
            if sizes[each.storage.key] < each.storage.length * each.storage.dtype.itemsize:
                raise ValueError(f"has fewer numbers than it says (storage {each.storage.key[:20]!r})")
        return found

    def _read_old(self) -> Any:
        with open(self.path, "rb") as file:
            programs = io.BytesIO(file.read(MOST))  # however long a text says it is, it ends here
            if (run(programs), run(programs)) != (MAGIC, PROTOCOL):
                raise ValueError("is no file of PyTorch")
            run(programs)  # the sizes of numbers on the machine that wrote it
            found, keys = run(programs), run(programs)
            file.seek(programs.tell())
            storages = {each.storage.key: each.storage for each in _named(found).values()}
            self._places = {}
            for key in keys:
                storage = storages[key]
                (count,) = struct.unpack("<q", file.read(8))
                if count != storage.length:
                    raise ValueError(f"has {count} numbers where it says {storage.length}")
                self._places[key] = file.tell()
                file.seek(count * storage.dtype.itemsize, 1)
        if any(storage.key not in self._places for storage in storages.values()):
            raise ValueError("has fewer numbers than it says")
        return found


def _named(found: Any) -> dict[str, Described]:
    if not isinstance(found, dict) or not all(
        isinstance(name, str) and isinstance(each, Described) for name, each in found.items()
    ):
        raise ValueError("is no file of named tensors")
    return found
