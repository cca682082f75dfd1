"""One of the small networks, loaded: text in, translation out, where it looked, and how far a word reaches.

All five answer the same questions in the same words, so that whoever compares them need not know which is
which. Nothing about a run is stored on them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from model import checkpoint
from model.decoding.beam import beam_search
from model.decoding.scoring import log_probabilities, translate_all
from model.decoding.search import Hypothesis, greedy
from model.inspect.target import Target
from model.network.batches import pad, read_ids
from model.network.config import Config
from model.network.hooks import hook_points, watch
from model.network.seq2seq import Seq2Seq
from model.network.transformer import Transformer
from model.rivals import FOLDER, RIVALS
from model.rivals.reach import reach
from model.text.capitals import calmed
from model.text.spelling import normalise
from model.text.tokenizer import Tokenizer, Tokens
from model.translator import Translator, load

LOOKS = ("glance.pattern", "cross_attention.pattern", "decoder_layers.")  # where decoders look at the source


class RivalTrace(NamedTuple):
    """What one run shows."""

    source: Tokens
    target: Target
    attention: (
        np.ndarray | None
    )  # (layers, heads, T, S), rows sum to one; None for one vector in place of a look
    states: tuple[np.ndarray, ...]  # (S, D): what enters the encoder, then what each layer makes of it
    log_probs: np.ndarray  # (T) of each predicted piece
    translation: Hypothesis | None = None  # unless the target was given


@dataclass(frozen=True, eq=False)
class Rival:
    name: str
    model: Seq2Seq
    tokenizer: Tokenizer

    @property
    def config(self) -> Config:
        return self.model.config

    def read(self, text: str) -> Tokens:
        """The pieces of a sentence, refused when blank or longer than the network reads."""
        calm = calmed(text, self.tokenizer, self.config.source)
        return self.tokenizer.encode(calm, self.config.length)

    def translate(self, text: str) -> Hypothesis:
        return self.translate_many([text])[0]

    def translate_many(self, texts: Sequence[str], *, beam: int = 1) -> list[Hypothesis]:
        """Greedy translations in the order given, computed in batches; or the best that a beam finds."""
        sources = [self.read(text).ids for text in texts]
        if beam == 1:
            written = translate_all(self.model, sources)
        else:
            written = [beam_search(self.model, [source], beam)[0].hypotheses[0] for source in sources]
        return [self._with_text(each) for each in written]

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Total natural-log probability of each target given its source, end token included."""
        if not pairs:
            return []
        sources = [self.read(source).ids for source, _ in pairs]
        targets = [self.tokenizer.encode(target, self.config.length).ids for _, target in pairs]
        return log_probabilities(self.model, sources, targets)

    @torch.inference_mode()
    def trace(self, text: str, target: str | Sequence[int] | None = None) -> RivalTrace:
        """All that one run shows; `target` forces a translation of the caller's own, as text or as ids."""
        source = self.read(text)
        written = None
        if target is None:
            written = self._with_text(greedy(self.model, [source.ids])[0])
        ids = written.ids if written else self._forced(target or "")
        read, predicted = self.tokenizer.tokens(read_ids(ids)), self.tokenizer.tokens(ids)
        inputs, looks = pad([source.ids]), self._looks()
        with watch(keep=looks) as seen:
            memory, mask = self.model.encode(inputs)
            logits = self.model.predict(self.model.decode(pad([read.ids]), memory, mask))[0]
        entered = self.model.enter(inputs)
        heights = [entered, *self.model.read(entered, mask)]
        chosen = logits.log_softmax(-1).gather(-1, torch.tensor(ids)[:, None])[:, 0]
        return RivalTrace(
            source=source,
            target=Target.of(read, predicted),
            # A network that looks step by step was seen once a step.
            attention=np.stack([torch.cat(seen[look], 2)[0].numpy() for look in looks]) if looks else None,
            states=tuple(height[0].numpy() for height in heights),
            log_probs=chosen.numpy(),
            translation=written,
        )

    def reach(self, text: str) -> np.ndarray:
        """At [l, j, i]: how much position j of encoder layer l changes with what enters at position i."""
        return reach(self.model, self.read(text).ids)

    def _forced(self, target: str | Sequence[int]) -> tuple[int, ...]:
        if isinstance(target, str):
            return self.tokenizer.encode(target, self.config.length).ids
        return tuple(target)

    def _looks(self) -> list[str]:
        """The hook points of the weights with which its decoder looks at the source, layer by layer."""
        points = hook_points(self.model)
        return [name for name in points if name.endswith("pattern") and any(look in name for look in LOOKS)]

    def _with_text(self, written: Hypothesis) -> Hypothesis:
        text = normalise(self.tokenizer.decode(written.ids))
        return Hypothesis(
            written.ids, written.log_probs, written.alternatives, written.finished, written.score,
            text, self.tokenizer.tokens(written.ids).pieces,
        )  # fmt: skip


def open_checkpoint(name: str | Path) -> Translator | Rival:
    """Whatever lies in a checkpoint's folder, to read, translate and score with."""
    model, tokenizer = checkpoint.load_any(name)
    if isinstance(model, Transformer):
        return load(name)
    return Rival(Path(name).name, model, tokenizer)


def load_rival(name: str) -> Rival:
    """One of those that ship, by its name."""
    if name not in RIVALS:
        raise ValueError(f"no rival {name!r}; there are {', '.join(RIVALS)}")
    return Rival(name, *checkpoint.load_any(checkpoint.SHIPPED / FOLDER / name))
