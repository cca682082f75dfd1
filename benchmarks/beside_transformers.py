"""How long writing a translation takes, beside `transformers` with the very same weights.

    python -m benchmarks.beside_transformers [--sentences 20] [--rounds 5] [--threads 1]

Our weights are put into a MarianMTModel, and both write the same sentences, spread over those that visitors
type: greedily and with a beam of 4, one at a time and all at once, taking turns in one run. Ids go in and ids
come out. Ours come with every piece's log-probability and its best alternatives, and the beam's with the tree
of all that was considered; theirs are ids alone.

Greedy ids have to be the same, or nothing is timed. A beam has other rules in `transformers`: it does not
narrow when a translation ends, and its length penalty is a power of the length alone; so the translations
that differ are counted. `pip install headlight[hf]` brings transformers.
"""

from collections.abc import Callable, Sequence
from functools import partial

import torch
from torch import Tensor, nn
from transformers import MarianConfig, MarianMTModel

from benchmarks.interleaved import best_times
from benchmarks.options import ask
from model import Translator
from model.decoding.beam import beam_search
from model.decoding.search import EXTRA, greedy
from model.network.attention import Attention
from model.network.batches import pad
from model.network.config import END, PAD, START, Config
from model.network.kinds import STACKS
from model.network.transformer import Transformer
from model.probe import HAND

BEAM, PENALTY, GOAL = 4, 0.6, 2.5
Ids = tuple[int, ...]


def main() -> None:
    options, translator = ask(__doc__, sentences=20, rounds=5, threads=1)
    torch.set_num_threads(options.threads)
    sources = spread(translator, options.sentences)
    marian = with_weights_of(translator.model)
    theirs, ours = partial(generate, marian), partial(write, translator.model)
    works: dict[str, Callable[[], list[Ids]]] = {}
    for beam, name in ((1, "greedy"), (BEAM, f"beam {BEAM}")):
        for who, way in (("Headlight", ours), ("transformers", theirs)):
            works[f"{name}, one at a time: {who}"] = partial(one_at_a_time, way, sources, beam)
            works[f"{name}, all at once: {who}"] = partial(way, sources, beam)
    written = {name: work() for name, work in works.items()}
    agreed = {name: same(written, name) for name in pairs(works)}
    for name, count in agreed.items():
        if name.startswith("greedy") and count < len(sources):
            raise ValueError(f"{name}: {len(sources) - count} of {len(sources)} translations differ")
    best = best_times(works, options.rounds)
    pieces = sum(map(len, written["greedy, one at a time: Headlight"])) / len(sources)
    print(
        f"{len(sources)} sentences, {pieces:.1f} pieces of translation on average; threads: {options.threads}"
    )
    for name in pairs(works):
        mine, other = (best[f"{name}: {who}"] / len(sources) * 1e3 for who in ("Headlight", "transformers"))
        print(f"{name:22} {mine:7.1f} ms a sentence beside {other:7.1f}: {other / mine:4.2f} times as fast; "
              f"same ids {agreed[name]} of {len(sources)}")  # fmt: skip
    print(f"goal: one at a time, {GOAL} times as fast")


def spread(translator: Translator, count: int) -> list[Ids]:
    """The pieces of so many sentences out of the whole list, which goes from short to long."""
    texts = HAND.with_name("visitors.txt").read_text(encoding="utf-8").splitlines()
    return [translator.read(text).ids for text in texts[:: max(1, len(texts) // count)][:count]]


def pairs(works: dict[str, Callable[[], list[Ids]]]) -> list[str]:
    return list(dict.fromkeys(name.rpartition(": ")[0] for name in works))


def same(written: dict[str, list[Ids]], name: str) -> int:
    both = zip(written[f"{name}: Headlight"], written[f"{name}: transformers"], strict=True)
    return sum(mine == other for mine, other in both)


def one_at_a_time(
    way: Callable[[Sequence[Ids], int], list[Ids]], sources: Sequence[Ids], beam: int
) -> list[Ids]:
    return [ids for source in sources for ids in way([source], beam)]


def write(model: Transformer, sources: Sequence[Ids], beam: int) -> list[Ids]:
    if beam == 1:
        return [found.ids for found in greedy(model, sources)]
    return [found.hypotheses[0].ids for found in beam_search(model, sources, beam, PENALTY)]


@torch.inference_mode()
def generate(marian: MarianMTModel, sources: Sequence[Ids], beam: int) -> list[Ids]:
    source = pad(sources)
    limit = max(map(len, sources)) + EXTRA
    rule = {"length_penalty": PENALTY, "early_stopping": True} if beam > 1 else {}
    found = marian.generate(
        input_ids=source, attention_mask=(source != PAD).long(), num_beams=beam, do_sample=False,
        max_new_tokens=limit, **rule,
    )  # fmt: skip
    return [_until_the_end(row[1:]) for row in found.tolist()]


def _until_the_end(ids: list[int]) -> Ids:
    return tuple(ids[: ids.index(END) + 1] if END in ids else ids)


def with_weights_of(model: Transformer) -> MarianMTModel:
    """A MarianMTModel that computes what `model` computes."""
    marian = MarianMTModel(_shape(model.config)).eval()
    # Marian's positions have all sines first and then all cosines; ours take turns. So its residual stream
    # is ours with even dimensions first, and whatever reads or writes the stream has to follow.
    order = torch.cat((torch.arange(0, model.config.width, 2), torch.arange(1, model.config.width, 2)))
    state = marian.state_dict()
    for name, weight in _renamed(model, order).items():
        state[name].copy_(weight)
    state["model.shared.weight"].copy_(model.to_vocabulary.weight[:, order])
    state["final_logits_bias"][0, [PAD, START]] = -torch.inf  # these two are never written
    return marian


def _shape(config: Config) -> MarianConfig:
    if config.positions != "sinusoidal" or config.window is not None or not config.tied:
        raise ValueError("only a tied model with sinusoidal positions and no window fits into Marian")
    both = {"layers": config.layers, "attention_heads": config.heads, "ffn_dim": config.hidden}
    return MarianConfig(
        vocab_size=config.vocabulary, d_model=config.width, max_position_embeddings=config.length,
        activation_function=config.activation, scale_embedding=True, forced_eos_token_id=None,
        pad_token_id=PAD, decoder_start_token_id=START, eos_token_id=END, bos_token_id=START,
        **{f"{stack}_{name}": value for stack in STACKS for name, value in both.items()},
    )  # fmt: skip


def _renamed(model: Transformer, order: Tensor) -> dict[str, Tensor]:
    """Our weights by Marian's names, the stream's dimensions in Marian's order."""
    found: dict[str, Tensor] = {}

    def put(name: str, module: nn.Module, reads: bool, writes: bool) -> None:
        weight, bias = module.weight.detach(), module.bias.detach()
        weight = weight[:, order] if reads else weight
        found[f"{name}.weight"], found[f"{name}.bias"] = (
            (weight[order], bias[order]) if writes else (weight, bias)
        )

    def put_attention(name: str, attention: Attention) -> None:
        for letter, module in zip(
            "qkv", (attention.to_query, attention.to_key, attention.to_value), strict=True
        ):
            put(f"{name}.{letter}_proj", module, reads=True, writes=False)
        put(f"{name}.out_proj", attention.to_output, reads=False, writes=True)

    for stack in STACKS:
        for number, layer in enumerate(getattr(model, stack).layers):
            name = f"model.{stack}.layers.{number}"
            put_attention(f"{name}.self_attn", layer.self_attention)
            put(f"{name}.self_attn_layer_norm", layer.attention_norm, reads=False, writes=True)
            if stack == "decoder":
                put_attention(f"{name}.encoder_attn", layer.cross_attention)
                put(f"{name}.encoder_attn_layer_norm", layer.cross_norm, reads=False, writes=True)
            put(f"{name}.fc1", layer.feed_forward.widen, reads=True, writes=False)
            put(f"{name}.fc2", layer.feed_forward.narrow, reads=False, writes=True)
            put(f"{name}.final_layer_norm", layer.feed_forward_norm, reads=False, writes=True)
    return found


if __name__ == "__main__":
    main()
