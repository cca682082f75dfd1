"""Every kind of edit at least once, and a run with some of them."""

from model.inspect import edits
from tests.helpers.inspected import TARGET, TEXT, translator
from tests.helpers.tiny import SENTENCES

CLOSE, MOVED = 1e-5, 1e-2
ENCODER, DECODER, CROSS = (
    "encoder.layers.1.self_attention", "decoder.layers.1.self_attention", "decoder.layers.0.cross_attention",
)  # fmt: skip
same_length = next(
    text for text in SENTENCES
    if text != TEXT and len(translator.read(text).ids) == len(translator.read(TEXT).ids)
)  # fmt: skip
EVERY_EDIT = [
    edits.Scale(ENCODER, 2, 0.0),
    edits.Scale("decoder.layers.*.self_attention", 1, 2.0),
    edits.Replace(CROSS, 1, tuple(range(translator.config.head_width))),
    edits.Uniform(CROSS, 1),
    edits.Uniform(DECODER, 0),
    edits.Row(CROSS, 0, 2, (0.0, 3.0, 1.0)),
    edits.Row(DECODER, 3, 3, (0.0, 1.0)),
    edits.Cell(ENCODER, 1, 4, 2, 0.9),
    edits.Cell(CROSS, 1, 5, 0, 0.0),
    edits.Hide(3),
    edits.Temperature("*.layers.*.*_attention", 0.25),
    edits.Temperature(CROSS, 4.0, head=2),
    edits.Unscale("encoder.layers.*.self_attention"),
    edits.PositionsOff("encoder"),
    edits.PositionsOff("decoder"),
    edits.PositionsShift(7, "encoder"),
    edits.PositionsShift(3, "decoder"),
    edits.Shuffle(5),
    edits.Skip(ENCODER, "sublayer"),
    edits.Skip(CROSS, "residual"),
    edits.Skip("decoder.layers.0.feed_forward", "norm"),
    edits.Skip("encoder.layers.0.feed_forward"),
    edits.CopyHead(ENCODER, 1, same_length),
    edits.CopyStream("encoder.layers.0.after_attention", same_length),
]
REPLAY_ONLY = [
    edits.LiftMask(),
    edits.CopyHead(CROSS, 1, same_length, TARGET),
    edits.CopyStream("decoder.layers.0.after_cross", same_length, TARGET),
]


def name(edit) -> str:
    return f"{type(edit).__name__}-{'-'.join(str(value) for value in vars(edit).values())[:40]}"


def trace(*changes, target=None, keep=None, text=TEXT):
    return translator.trace(text, target=target, edits=changes, keep=keep)
