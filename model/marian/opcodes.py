"""The opcodes of a pickle as a description of tensors: taken apart as text, and never executed.

The few that describe named tensors are understood; whatever else a file asks for is refused by name. Nothing
is imported, called or built but dicts, lists, tuples and the descriptions below.
"""

import io
import math
import pickletools
from collections.abc import Callable
from typing import Any, NamedTuple

import torch

STORAGES = {
    "FloatStorage": torch.float32, "HalfStorage": torch.float16, "BFloat16Storage": torch.bfloat16,
    "DoubleStorage": torch.float64, "LongStorage": torch.int64,
}  # fmt: skip
DICT, TENSOR, PARAMETER = (
    "collections OrderedDict", "torch._utils _rebuild_tensor_v2", "torch._utils _rebuild_parameter",
)  # fmt: skip
KNOWN = {DICT, TENSOR, PARAMETER, *(f"torch {name}" for name in STORAGES)}
MARK = object()


class Global(NamedTuple):
    """The name of something that a reader would import."""

    name: str


class Storage(NamedTuple):
    """Where numbers lie: never opened here, only described."""

    key: str
    dtype: torch.dtype
    length: int


class Described(NamedTuple):
    """A tensor, and where its numbers lie."""

    storage: Storage
    offset: int
    shape: tuple[int, ...]

    @property
    def length(self) -> int:
        return math.prod(self.shape)


def run(program: bytes | io.BytesIO) -> Any:
    """What a pickle describes, up to its end. Opcodes outside of the table below are refused."""
    machine = _Machine()
    try:
        for opcode, argument, _ in pickletools.genops(program):
            if opcode.name == "STOP":
                return machine.stack.pop()
            step = STEPS.get(opcode.name)
            if step is None:
                raise Refusal(f"asks for {opcode.name}, which no file of tensors needs")
            step(machine, argument)
    except Refusal:
        raise
    except (ValueError, IndexError, KeyError, TypeError):
        raise ValueError("is no file of named tensors") from None
    raise ValueError("is no file of named tensors")


class Refusal(ValueError):
    """A file that asks for more than tensors."""


class _Machine:
    """The stack of a pickle, on which nothing but plain values and descriptions ever lie."""

    def __init__(self) -> None:
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}

    def push(self, value: Any) -> None:
        self.stack.append(value)

    def above_mark(self) -> list[Any]:
        place = len(self.stack) - 1 - self.stack[::-1].index(MARK)
        above = self.stack[place + 1 :]
        del self.stack[place:]
        return above

    def named(self, name: str) -> None:
        if name not in KNOWN:
            raise Refusal(f"asks to import {name.replace(' ', '.')[:80]}, and nothing in it is executed")
        self.push(Global(name))

    def stack_global(self) -> None:
        name, module = self.stack.pop(), self.stack.pop()
        self.named(f"{module} {name}")

    def tuple_of(self, count: int) -> None:
        values = tuple(self.stack[-count:])
        del self.stack[-count:]
        self.push(values)

    def set_items(self, values: list[Any]) -> None:
        self.stack[-1].update(zip(values[::2], values[1::2], strict=True))

    def stored(self) -> None:
        kind, typed, key, _, count, *view = self.stack.pop()
        name = typed.name.removeprefix("torch ")
        if kind != "storage" or name not in STORAGES or type(count) is not int or count < 0 or any(view):
            raise Refusal("describes numbers in a way that no file of weights needs")
        self.push(Storage(str(key), STORAGES[name], count))

    def reduced(self) -> None:
        arguments, asked = self.stack.pop(), self.stack.pop()
        if asked == Global(DICT) and arguments in ((), ([],)):
            self.push({})
        elif asked == Global(PARAMETER):
            self.push(arguments[0])
        elif asked == Global(TENSOR):
            self.push(_described(*arguments[:4]))
        else:
            raise Refusal("asks to call something that is no tensor")

    def built(self) -> None:
        """A state dict's notes about its modules' versions: nobody needs them."""
        self.stack.pop()
        if type(self.stack[-1]) is not dict:
            raise Refusal("asks to build something that is no tensor")


def _described(storage: Storage, offset: int, shape: tuple[int, ...], stride: tuple[int, ...]) -> Described:
    if not isinstance(storage, Storage) or not all(
        type(size) is int and size >= 0 for size in (offset, *shape)
    ):
        raise Refusal("describes a tensor by something that is no number")
    found, usual = Described(storage, offset, tuple(shape)), 1
    if found.offset + found.length > storage.length:
        raise Refusal("describes a tensor beyond its numbers")
    for size, step in zip(reversed(shape), reversed(stride), strict=True):
        if size > 1 and step != usual:
            raise Refusal("describes a tensor whose numbers do not lie one after the other")
        usual *= size
    return found


Step = Callable[[_Machine, Any], Any]
_push: Step = _Machine.push
STEPS: dict[str, Step] = {
    "PROTO": lambda machine, _: None,
    "FRAME": lambda machine, _: None,
    "MARK": lambda machine, _: machine.push(MARK),
    **dict.fromkeys(("BININT", "BININT1", "BININT2", "LONG1", "LONG", "INT", "BINUNICODE"), _push),
    **dict.fromkeys(("SHORT_BINUNICODE", "BINUNICODE8", "UNICODE", "BINFLOAT"), _push),
    "NONE": lambda machine, _: machine.push(None),
    "NEWTRUE": lambda machine, _: machine.push(True),
    "NEWFALSE": lambda machine, _: machine.push(False),
    "EMPTY_DICT": lambda machine, _: machine.push({}),
    "EMPTY_LIST": lambda machine, _: machine.push([]),
    "EMPTY_TUPLE": lambda machine, _: machine.push(()),
    "TUPLE": lambda machine, _: machine.push(tuple(machine.above_mark())),
    "TUPLE1": lambda machine, _: machine.tuple_of(1),
    "TUPLE2": lambda machine, _: machine.tuple_of(2),
    "TUPLE3": lambda machine, _: machine.tuple_of(3),
    "APPEND": lambda machine, _: machine.stack[-2].append(machine.stack.pop()),
    "APPENDS": lambda machine, _: (lambda values: machine.stack[-1].extend(values))(machine.above_mark()),
    "SETITEM": lambda machine, _: machine.set_items([machine.stack.pop(-2), machine.stack.pop()]),
    "SETITEMS": lambda machine, _: machine.set_items(machine.above_mark()),
    **dict.fromkeys(
        ("BINPUT", "LONG_BINPUT"), lambda machine, place: machine.memo.update({place: machine.stack[-1]})
    ),
    "MEMOIZE": lambda machine, _: machine.memo.update({len(machine.memo): machine.stack[-1]}),
    **dict.fromkeys(("BINGET", "LONG_BINGET"), lambda machine, place: machine.push(machine.memo[place])),
    "GLOBAL": lambda machine, name: machine.named(name),
    "STACK_GLOBAL": lambda machine, _: machine.stack_global(),
    "BINPERSID": lambda machine, _: machine.stored(),
    "REDUCE": lambda machine, _: machine.reduced(),
    "BUILD": lambda machine, _: machine.built(),
}
