"""Changes one can make to a run. They are data: frozen, so they can be cached and kept in a link.

Each acts at hook points and is told the absolute position of the rows it sees, so it means the same
in cached decoding and in the replay. What cannot act while decoding (`decodes` is False) acts in the
replay only. `where` is the path of an attention or feed-forward sublayer, or a pattern of such paths:
"encoder.layers.2.self_attention", "decoder.layers.*.cross_attention".
"""

from model.inspect.edits.base import SUBLAYERS, Edit
from model.inspect.edits.copies import CopyHead, CopyStream, Paste
from model.inspect.edits.heads import Cell, Replace, Row, Scale, Temperature, Uniform, Unscale
from model.inspect.edits.stacks import Hide, LiftMask, PositionsOff, PositionsShift, Shuffle, Skip
from model.network.kinds import STACKS

__all__ = [
    "STACKS", "SUBLAYERS", "Cell", "CopyHead", "CopyStream", "Edit", "Hide", "LiftMask", "Paste",
    "PositionsOff", "PositionsShift", "Replace", "Row", "Scale", "Shuffle", "Skip", "Temperature", "Uniform",
    "Unscale",
]  # fmt: skip
