"""The film of training: what the same few sentences looked like at moments from start to end.

Each frame holds the model's own translations, and every attention pattern under one fixed reference
translation, so that moments compare. It cannot be made afterwards.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from model.checkpoint import npz_bytes, write
from model.decoding.search import greedy
from model.inspect.replay import replay
from model.network.batches import read_ids
from model.network.kinds import KINDS
from model.network.transformer import Transformer
from model.text.refused import Place
from model.text.tokenizer import Tokenizer
from model.text.treebank import Annotated, plain, read_alignment
from model.training.data import Pair, read_pairs

NAME = "film.npz"  # in the folder of a checkpoint
SENTENCES = Path(__file__).parents[1] / "probe" / "film.tsv"
LINKS = SENTENCES.with_suffix(".align")
LANGUAGES = ("en", "fr")  # of these
SHOWN = 8  # of the dev pairs, where these do not fit
LONGEST = 14  # pieces on each side, end token included: keeps the film small and the pictures legible
MOMENTS = 24
MOVING = ("steps", "rates", "dev_losses", "bleus", "translations")  # beside the patterns
Frame = dict[str, np.ndarray]


def moments(steps: int, count: int = MOMENTS) -> list[int]:
    """About `count` steps from 0 to `steps`, evenly spaced on a logarithmic scale.

    >>> moments(1000, 6)
    [0, 1, 6, 32, 178, 1000]
    """
    return sorted({0, *np.geomspace(1, steps, count - 1).round().astype(int).tolist()})


def read_sentences(path: str | Path, tokenizer: Tokenizer) -> list[Pair]:
    """The film's own sentences with their references; too long a one is refused by its line."""
    pairs = read_pairs(path)
    for number, pair in enumerate(pairs, 1):
        if (longest := max(len(tokenizer.encode(text).ids) for text in pair)) > LONGEST:
            raise ValueError(f"{path}, line {number}: {longest} pieces; a film takes at most {LONGEST}")
    return pairs


def choose_sentences(
    tokenizer: Tokenizer, languages: tuple[str, str], dev: Sequence[Pair]
) -> tuple[list[Pair], str]:
    """Our own sentences if they are in these languages, else some of the dev pairs; and a line that says so.

    None at all where every dev pair is too long: then there is no film.
    """

    def fits(pair: Pair) -> bool:
        return max(len(tokenizer.encode(text).ids) for text in pair) <= LONGEST

    own = read_pairs(SENTENCES)
    if languages == LANGUAGES and all(map(fits, own)):
        return own, f"the film of training shows {len(own)} sentences of our own"
    short = list(dict.fromkeys(filter(fits, dev)))
    taken = short[:: max(1, len(short) // SHOWN)][:SHOWN]
    if not taken:
        return [], f"no film of training: every dev pair has more than {LONGEST} pieces; --film names others"
    return taken, f"the film of training shows {len(taken)} of the dev pairs; --film names others"


def read_links() -> list[Annotated]:
    """The film's own sentences with the words that translate each other, as film.align gives them:

    one line per sentence, words TAB words of the reference TAB links `i-j` or, where unsure, `i?j`.
    """
    columns = [line.split("\t") for line in LINKS.read_text("utf-8").splitlines()]
    found = []
    for (text, french), (words, french_words, links) in zip(read_pairs(SENTENCES), columns, strict=True):
        found.append(
            replace(
                plain(text),  # nothing is known but the words and their links
                words=tuple(words.split()),
                french=french,
                french_words=tuple(french_words.split()),
                alignment=read_alignment(links, Place(str(LINKS))),
            )
        )
    return found


def take_frame(model: Transformer, tokenizer: Tokenizer, pairs: Sequence[Pair]) -> Frame:
    """What `model` does with the film's sentences right now, in eval mode."""
    sources = [tokenizer.encode(source) for source, _ in pairs]
    written = greedy(model, [source.ids for source in sources])
    frame: Frame = {"translations": np.array([tokenizer.decode(found.ids) for found in written])}
    for number, (source, (_, reference)) in enumerate(zip(sources, pairs, strict=True)):
        trace = replay(model, tokenizer, source, tokenizer.encode(reference).ids, keep=["attention"])
        for kind, weights in trace.attention.items():
            frame[f"{kind}.{number}"] = (weights * 255).round().astype(np.uint8)
    return frame


def write_film(path: Path, frames: Sequence[Frame], pairs: Sequence[Pair], tokenizer: Tokenizer) -> None:
    """Stack frames along time. Arrays of `film.npz`, M moments, N sentences:

    steps, rates, dev_losses, bleus (M) · translations (M, N) · sources, references (N)
    source_pieces.{n}, read_pieces.{n}, predicted_pieces.{n}: the labels of sentence n
    encoder.{n}, decoder.{n}, cross.{n}: (M, layers, heads, queries, keys), weight × 255
    """
    film = {name: np.stack([frame[name] for frame in frames]) for name in frames[0]}
    film["sources"], film["references"] = (np.array(side) for side in zip(*pairs, strict=True))
    for number, (source, reference) in enumerate(pairs):
        target = tokenizer.encode(reference)
        film[f"source_pieces.{number}"] = np.array(tokenizer.encode(source).pieces)
        film[f"read_pieces.{number}"] = np.array(tokenizer.tokens(read_ids(target.ids)).pieces)
        film[f"predicted_pieces.{number}"] = np.array(target.pieces)
    write(path, npz_bytes(film))


def frames(film: Frame) -> list[Frame]:
    """What `write_film` stacked, moment by moment, without the labels."""
    kinds = tuple(f"{kind}." for kind in KINDS)
    moving = [name for name in film if name in MOVING or name.startswith(kinds)]
    return [{name: film[name][moment] for name in moving} for moment in range(len(film["steps"]))]


def read_film(path: Path) -> Frame:
    with np.load(path, allow_pickle=False) as file:
        return dict(file)
