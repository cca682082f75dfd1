"""The shape of one network: a frozen dataclass, saved as JSON beside the weights.

Presets follow the paper's table 3 (`base`, `big`); `small` is what ships, `tiny` is for tests. Each of the
architectures before the Transformer has a preset of its own name, and the small Transformer that stands
beside them is `beside`: all five have two million weights.
"""

import json
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

PAD, START, END, UNKNOWN = range(4)  # the special tokens' ids, in every vocabulary
POSITIONS = ("sinusoidal", "learned", "rotary", "none")
ACTIVATIONS = ("relu", "gelu", "swish")  # swish: x · sigmoid(x), also called SiLU
RECURRENT = (
    "recurrent",
    "additive",
    "multiplicative",
)  # by how the decoder looks at the source: not at all, …
ARCHITECTURES = (*RECURRENT, "convolutional", "transformer")


@dataclass(frozen=True)
class Config:
    """Every choice that decides what the weights mean."""

    vocabulary: int  # pieces, special tokens included
    width: int = 256  # d_model in the paper
    heads: int = 8
    layers: int = 4  # N encoder layers, and as many decoder layers unless `decoder_layers` says otherwise
    hidden: int = 1024  # d_ff in the paper
    dropout: float = 0.1
    positions: str = "sinusoidal"
    activation: str = "relu"
    window: int | None = None  # self-attention sees this many positions to either side; None: all
    tied: bool = True  # source, target and output embeddings are one matrix
    length: int = 512  # the most pieces a sentence may have, end token included
    source: str = "en"  # language codes: what the model reads and what it writes
    target: str = "fr"
    architecture: str = "transformer"
    kernel: int = 3  # positions that a convolution sees at once
    # What models of others have; a file that says nothing of them has none of it.
    decoder_layers: int | None = None  # where the decoder is not as deep as the encoder
    tied_output: bool = False  # where not all is tied: target and output embeddings are one matrix still
    scaled: bool = True  # embeddings are multiplied by √width
    output_bias: bool = False  # every piece has a number of its own, added to its logit
    taught: bool = False  # head 0 of the last cross-attention was trained to look where words align

    def __post_init__(self) -> None:
        for name in ("vocabulary", "width", "heads", "layers", "hidden", "length", "kernel"):
            value = getattr(self, name)
            if type(value) is not int or value < 1:
                raise ValueError(f"{name} must be a whole number of at least 1, not {value!r}")
        if self.width % self.heads:
            raise ValueError(f"width {self.width} does not split into {self.heads} heads")
        if self.positions not in POSITIONS:
            raise ValueError(f"positions is one of {', '.join(POSITIONS)}, not {self.positions!r}")
        if self.activation not in ACTIVATIONS:
            raise ValueError(f"activation is one of {', '.join(ACTIVATIONS)}, not {self.activation!r}")
        if self.positions == "sinusoidal" and self.width % 2:
            raise ValueError(f"sinusoidal positions need an even width, not {self.width}")
        if self.positions == "rotary" and self.head_width % 2:
            raise ValueError(f"rotary positions need an even head width, not {self.head_width}")
        if self.window is not None and (type(self.window) is not int or self.window < 0):
            raise ValueError(f"window must be a whole number of at least 0, or none, not {self.window!r}")
        for name in ("tied", "tied_output", "scaled", "output_bias", "taught"):
            if type(getattr(self, name)) is not bool:
                raise ValueError(f"{name} must be true or false, not {getattr(self, name)!r}")
        depth = self.decoder_layers
        if depth is not None and (type(depth) is not int or depth < 1):
            raise ValueError(f"decoder_layers must be a whole number of at least 1, or none, not {depth!r}")
        if not 0 <= self.dropout < 1:
            raise ValueError(f"dropout must lie in [0, 1), not {self.dropout!r}")
        if self.architecture not in ARCHITECTURES:
            raise ValueError(f"architecture is one of {', '.join(ARCHITECTURES)}, not {self.architecture!r}")
        if self.architecture != "transformer":
            self._check_without_self_attention()

    def _check_without_self_attention(self) -> None:
        """What only a Transformer can have is refused elsewhere by name."""
        if self.window is not None or not self.tied:
            raise ValueError(f"a {self.architecture} network has no window, and one embedding matrix")
        if odd := [name for name, usual in LATER.items() if getattr(self, name) != usual]:
            raise ValueError(f"only a Transformer has {odd[0]}, not a {self.architecture} network")
        if self.architecture in RECURRENT and (self.positions != "none" or self.hidden % 2):
            raise ValueError(
                f"a {self.architecture} network reads in order: its positions are none, "
                f"not {self.positions!r}; its hidden width is even, not {self.hidden}"
            )
        if self.architecture == "convolutional" and (self.positions != "sinusoidal" or not self.kernel % 2):
            raise ValueError(
                f"a convolutional network has sinusoidal positions, not {self.positions!r}, "
                f"and an odd kernel, not {self.kernel}"
            )

    @property
    def head_width(self) -> int:  # d_k = d_v in the paper
        return self.width // self.heads

    def depth(self, kind: str) -> int:
        """How many layers have this kind of attention, or how many this stack has."""
        return self.layers if kind == "encoder" or self.decoder_layers is None else self.decoder_layers

    def to_json(self) -> str:
        """Every field, but of those that came later only what is not as it was before them."""
        values = asdict(self)
        said = {name: value for name, value in values.items() if value != LATER.get(name, UNSAID)}
        return json.dumps(said, indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "Config":
        """Read what `to_json` wrote; an unknown or missing field is refused by name.

        Checkpoints that are older than a choice of architecture are Transformers.
        """
        try:
            values = json.loads(text)
        except json.JSONDecodeError as error:
            raise ValueError(f"not valid JSON ({error})") from None
        if not isinstance(values, dict):
            raise ValueError("not a JSON object")
        known = {field.name for field in fields(cls)}
        if unknown := sorted(values.keys() - known):
            raise ValueError(f"unknown field {unknown[0]!r}")
        if missing := sorted(known - values.keys() - {"architecture", "kernel"} - LATER.keys()):
            raise ValueError(f"missing field {missing[0]!r}")
        return cls(**values)


UNSAID = object()  # no field has this value
LATER = {"decoder_layers": None, "tied_output": False, "scaled": True, "output_bias": False, "taught": False}

PRESETS = {
    "tiny": Config(vocabulary=300, width=32, heads=4, layers=2, hidden=64),
    "small": Config(vocabulary=8_000),
    "base": Config(vocabulary=37_000, width=512, heads=8, layers=6, hidden=2_048),
    "beside": Config(vocabulary=4_000, width=144, heads=4, layers=3, hidden=384),
    "recurrent": Config(4_000, 160, 1, 2, 224, positions="none", architecture="recurrent"),
    "additive": Config(4_000, 160, 1, 2, 216, positions="none", architecture="additive"),
    "multiplicative": Config(4_000, 160, 1, 2, 236, positions="none", architecture="multiplicative"),
    "convolutional": Config(4_000, 172, 1, 3, 344, architecture="convolutional"),
    "big": Config(vocabulary=37_000, width=1_024, heads=16, layers=6, hidden=4_096, dropout=0.3),
}


def preset(name: str, **changes: Any) -> Config:
    """A named shape with some fields changed: `preset("small", positions="rotary")`."""
    if name not in PRESETS:
        raise ValueError(f"no preset {name!r}; there are {', '.join(PRESETS)}")
    return replace(PRESETS[name], **changes)
