"""The folder of a language model: the same four files as every checkpoint, with a config of its own.

Beside them lie card.md and losses.json, which says what its memory is worth.
"""

from pathlib import Path

from safetensors.torch import save as to_bytes

from model import checkpoint
from model.network.language import LanguageConfig, LanguageModel
from model.text.tokenizer import Tokenizer

SHIPPED = "rivals/memory-fr"
LOSSES = "losses.json"


def untrained(config: LanguageConfig, seed: int = 0) -> LanguageModel:
    """A model of this shape with seeded random weights, in eval mode."""
    return checkpoint.seeded(lambda: LanguageModel(config), seed).eval()


def save(folder: Path, model: LanguageModel, tokenizer: Tokenizer) -> None:
    """Write what makes a model, weights in half precision, then the sums of all that lies in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = {name: weight.detach().half() for name, weight in model.named_parameters()}
    checkpoint.write(folder / checkpoint.CONFIG, model.config.to_json().encode())
    checkpoint.write(folder / checkpoint.TOKENIZER, tokenizer.model)
    checkpoint.write(folder / checkpoint.WEIGHTS, to_bytes(weights))
    checkpoint.seal(folder)


def load(name: str | Path = SHIPPED) -> tuple[LanguageModel, Tokenizer]:
    """Read and check a folder; the model comes in eval mode, in single precision."""
    folder = checkpoint.find(name)
    checkpoint.verify(folder)
    path = folder / checkpoint.CONFIG
    try:
        config = LanguageConfig.from_json(path.read_text("utf-8"))
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from None
    tokenizer = Tokenizer((folder / checkpoint.TOKENIZER).read_bytes())
    if len(tokenizer) != config.vocabulary:
        raise ValueError(f"{folder} has {len(tokenizer)} pieces and its config says {config.vocabulary}")
    model = untrained(config)
    checkpoint.fill(model, folder / checkpoint.WEIGHTS)
    return model, tokenizer
