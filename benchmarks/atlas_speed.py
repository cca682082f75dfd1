"""How long the atlas takes, beside its budgets and beside the plain way to every head's patterns.

    python -m benchmarks.atlas_speed [--conllu FILE] [--sentences 96] [--rounds 3]

The budgets are for two processes on two cores, and so are the first two lines: each core has half of some
sentences, spread evenly over the corpus, and the slower one counts; what the whole corpus takes is said in
proportion. "Observed" is all but silencing, over FILE: the translation, the replays of the model and of its
untrained twin, gradients, all measures and their sums; making roles and intervals of the sums comes once, for
a corpus of any size. "Silenced" is silencing alone, over both of our probe corpora: every head of every
sentence, and of one in five for the twin.

The plain way to patterns is a MarianMTModel of `transformers`, of the same shape, that reads the same pieces
and is told to give its attentions: a sentence at a time, without a gradient, each layer's patterns as an
array. Its weights are random: time does not hang on them. Beside it are our traces, which are as plain as it
is, and our replays, which run in batches and give gradients and what each head writes too; then the same
with what patterns tell of heads measured from each, and all that is observed. `transformers` is no
dependency of ours: `pip install transformers`; without it, ours run alone.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import torch

from benchmarks.interleaved import best_times, report
from model import load
from model.atlas.gathered import Atlas
from model.atlas.importance import NULL_EVERY, silenced
from model.atlas.measures import head_tallies
from model.atlas.observed import CHUNK
from model.atlas.replays import replay_many
from model.atlas.report import as_json
from model.checkpoint import untrained
from model.inspect.replay import replay
from model.network.batches import read_ids
from model.network.config import END, PAD, START, Config
from model.network.kinds import STACKS, sides
from model.probe import HAND, grammar
from model.text.treebank import Annotated, read
from model.translator import Translator

BUDGET, CORES, SENTENCES = 180, 2, 2_000  # seconds: for observing so many, and for silencing on the probes
Patterns = dict[str, np.ndarray]  # by kind, (N, Q, K)
Pieces = tuple[Sequence[int], Sequence[int]]  # source and target ids
Way = Callable[[Sequence[Pieces]], Iterator[Patterns]]


def main() -> None:
    described = {"description": __doc__, "formatter_class": argparse.RawDescriptionHelpFormatter}
    parser = argparse.ArgumentParser(**described)
    parser.add_argument("--checkpoint", default="en-fr")
    parser.add_argument("--conllu", type=Path, default=HAND)
    parser.add_argument("--sentences", type=int, default=96)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with ProcessPoolExecutor(CORES, get_context("spawn")) as cores:
        shares = list(cores.map(time_share, range(CORES), repeat(options)))
    slowest = {name: max(share[name] for share in shares) for name in shares[0]}
    corpus, probes = corpora(options)
    sentences, probed = (spread(each, options.sentences) for each in (corpus, probes))
    print(budget("observed", slowest["observed"], len(sentences), SENTENCES, slowest["written"]))
    print(budget("silenced", slowest["silenced"], len(probed), len(probes)))

    torch.set_num_threads(1)
    translator = load(options.checkpoint)
    pairs = pieces(translator, sentences)
    best = best_times(for_patterns(translator, sentences, pairs), options.rounds)
    source, target = (np.mean([len(pair[side]) for pair in pairs]) for side in (0, 1))
    print(f"{len(pairs)} of {len(corpus)} sentences of {options.conllu.name}: "
          f"{source:.1f} pieces and {target:.1f} of their translations on average; one thread")  # fmt: skip
    report(best, "Marian" if "Marian" in best else "replays")
    if "Marian" not in best:
        print("left out: Marian, which needs transformers (`pip install transformers`)")


def corpora(options: argparse.Namespace) -> tuple[list[Annotated], list[Annotated]]:
    return list(read(options.conllu)), [*read(HAND), *grammar.sentences()]


def time_share(rank: int, options: argparse.Namespace) -> dict[str, float]:
    """The seconds that one of the cores takes for its share, while the others work on theirs."""
    torch.set_num_threads(1)
    translator = load(options.checkpoint)
    twin = replace(translator, model=untrained(translator.config))
    sentences, probed = (spread(each, options.sentences)[rank::CORES] for each in corpora(options))
    pairs = pieces(translator, probed)

    def silence() -> None:
        for number, pair in enumerate(pairs):
            silenced(translator.model, *pair)
            if number % NULL_EVERY == 0:
                silenced(twin.model, *pair)

    atlas = observe(translator, twin, sentences)
    work = {
        "observed": lambda: observe(translator, twin, sentences),
        "silenced": silence,
        "written": lambda: as_json(atlas, "benchmark"),
    }
    return best_times(work, options.rounds)


def observe(translator: Translator, twin: Translator, sentences: Sequence[Annotated]) -> Atlas:
    atlas, numbered = Atlas(translator, twin, silencing=False), list(enumerate(sentences))
    for start in range(0, len(numbered), CHUNK):
        for _ in atlas.add(numbered[start : start + CHUNK]):
            pass
    return atlas


def for_patterns(
    translator: Translator, sentences: Sequence[Annotated], pairs: Sequence[Pieces]
) -> dict[str, Callable[[], object]]:
    ways = {"replays": partial(replayed, translator), "traces": partial(traced, translator)}
    if find_spec("transformers"):
        ways["Marian"] = partial(attentions, marian_like(translator.config))
        check_shapes(*(way(pairs) for way in ways.values()))
    plain = {name: partial(exhaust, way, pairs) for name, way in ways.items()}
    measured = {f"{name}, measured": partial(measure, translator, way, pairs) for name, way in ways.items()}
    twin = replace(translator, model=untrained(translator.config))
    return plain | measured | {"observed": partial(observe, translator, twin, sentences)}


def exhaust(way: Way, pairs: Sequence[Pieces]) -> None:
    for _ in way(pairs):
        pass


def spread(corpus: Sequence[Annotated], count: int) -> list[Annotated]:
    """So many sentences from the whole corpus: its beginning may be shorter than the rest."""
    places = np.linspace(0, len(corpus), min(count, len(corpus)), endpoint=False).astype(int)
    return [corpus[place] for place in places]


def pieces(translator: Translator, sentences: Sequence[Annotated]) -> list[Pieces]:
    texts = [sentence.text for sentence in sentences]
    targets = (found.ids for found in translator.translate_many(texts))
    return list(zip((translator.read(text).ids for text in texts), targets, strict=True))


def budget(name: str, seconds: float, count: int, wanted: int, once: float = 0) -> str:
    """What was measured, and what as many sentences as the budget is for would take."""
    whole = seconds * wanted / count + once
    measured = f"{name}: {seconds:.1f} s for {count} sentences" + (f", and {once:.1f} s once" if once else "")
    return f"{measured}, on {CORES} cores; in proportion {whole:.0f} s for {wanted}, budget {BUDGET} s"


def replayed(translator: Translator, pairs: Sequence[Pieces]) -> Iterator[Patterns]:
    """Our way, in the order of `pairs`: chunks as large as the atlas has them."""
    for start in range(0, len(pairs), CHUNK):
        sources, targets = zip(*pairs[start : start + CHUNK], strict=True)
        runs = dict(replay_many(translator.model, translator.tokenizer, sources, targets))
        yield from (runs[place].attention for place in range(len(sources)))


def traced(translator: Translator, pairs: Sequence[Pieces]) -> Iterator[Patterns]:
    """Our way, one sentence at a time."""
    for source, target in pairs:
        said = translator.tokenizer.tokens(source)
        found = replay(translator.model, translator.tokenizer, said, target, keep=["attention"])
        yield {kind: array.reshape(-1, *array.shape[-2:]) for kind, array in found.attention.items()}


def marian_like(config: Config) -> torch.nn.Module:
    """The same shape with random weights; eager attention, as its patterns cannot be had of a fused one."""
    from transformers import MarianConfig, MarianMTModel

    both = {"layers": config.layers, "attention_heads": config.heads, "ffn_dim": config.hidden}
    shape = {f"{stack}_{name}": value for stack in STACKS for name, value in both.items()}
    made = MarianConfig(
        vocab_size=config.vocabulary, d_model=config.width, max_position_embeddings=config.length,
        activation_function=config.activation, scale_embedding=True, use_cache=False,
        pad_token_id=PAD, decoder_start_token_id=START, eos_token_id=END, **shape,
    )  # fmt: skip
    made._attn_implementation = "eager"
    return MarianMTModel(made).eval()


@torch.inference_mode()
def attentions(marian: torch.nn.Module, pairs: Sequence[Pieces]) -> Iterator[Patterns]:
    """The plain way, one sentence at a time."""
    for source, target in pairs:
        read = torch.tensor([read_ids(target)])
        found = marian(input_ids=torch.tensor([source]), decoder_input_ids=read, output_attentions=True)
        kinds = {"encoder": found.encoder_attentions, "decoder": found.decoder_attentions}
        kinds["cross"] = found.cross_attentions
        yield {kind: np.concatenate([layer[0].numpy() for layer in layers]) for kind, layers in kinds.items()}


def check_shapes(*ways: Iterator[Patterns]) -> None:
    for found in zip(*ways, strict=True):
        shapes = [{kind: array.shape for kind, array in each.items()} for each in found]
        if any(each != shapes[0] for each in shapes):
            raise ValueError(f"these are not the same patterns: {shapes}")


def measure(translator: Translator, way: Way, pairs: Sequence[Pieces]) -> None:
    """What patterns alone tell of each head, sentence by sentence."""
    for (source, target), found in zip(pairs, way(pairs), strict=True):
        said, written, predicted = map(translator.tokenizer.tokens, (source, read_ids(target), target))
        tokens = sides(said, written) | {"cross": (predicted, said)}
        for kind, (queries, keys) in tokens.items():
            mask = np.ones((len(queries.ids), len(keys.ids)), bool)
            mask = np.tril(mask) if kind == "decoder" else mask
            head_tallies(kind, found[kind], mask, queries, keys, translator.config.vocabulary)


if __name__ == "__main__":
    main()
