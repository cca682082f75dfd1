"""The card of a rival: what it is, how it was trained, and beside whom. Numbers come from its own facts."""

from collections.abc import Mapping
from typing import Any

from model.network.config import Config

HOW = {
    "recurrent": (
        "Two layers of gated recurrent units read the sentence both ways; all that the decoder gets of it "
        "is one vector, the states in which both readings end (Cho et al. 2014; Sutskever et al. 2014)."
    ),
    "additive": (
        "Two layers of gated recurrent units read the sentence both ways; at each step the decoder's "
        "state looks back at all of them with additive attention (Bahdanau et al. 2015)."
    ),
    "multiplicative": (
        "Two layers of gated recurrent units read the sentence both ways; at each step the decoder's "
        "state looks back at all of them with multiplicative attention (Luong et al. 2015, “general”)."
    ),
    "convolutional": (
        "Three layers of gated convolutions over three positions on either side; every decoder layer "
        "looks at the source (Gehring et al. 2017, with sinusoidal positions)."
    ),
    "transformer": (
        "Three encoder and three decoder layers of four heads, post-norm, sinusoidal positions (Vaswani "
        "et al. 2017)."
    ),
}
TEXTS = """English–French pairs of Tatoeba (tatoeba.org, CC-BY 2.0 FR), some paired by way of a third
language or found by a lexicon; greetings (CC-BY 2.0 FR); Bible verses (CC0 and public domain), DiaBLa
chat (CC BY-SA 4.0), names of things and places of CLDR (Unicode License v3), TICO-19 (CC0), Storybooks
(CC-BY), XVNLI captions (CC BY-SA 4.0), Flare (CC BY-SA 3.0), PUD news (CC BY-SA 3.0), Wikiotics (CC BY-SA
3.0); and sentences of novels in the public domain (Project Gutenberg). Some of these once more in a row,
or as they are typed in a hurry."""


MOVED = {
    "adam": "Adam as in the paper (0.9, 0.98, 1e-9)",
    "muon": "Muon for the matrices (Jordan et al. 2024), Adam (0.9, 0.98, 1e-9) for the rest",
}


def card(config: Config, facts: Mapping[str, Any]) -> str:
    """All of it, as Markdown."""
    tried = ", ".join(f"{rate} → {loss:.3f}" for rate, loss in facts["rates"].items())
    return f"""# {facts["name"]}: English to French, one of five

{HOW[facts["name"]]}

One of five small networks that learned the same pairs, to be compared on the page “Why attention”. It is
there to be looked at beside the others and not to translate well.

| | |
| --- | --- |
| weights | {facts["weights"]:,}, stored in half precision |
| shape | {config.layers} layers, width {config.width}, hidden {config.hidden}, {config.vocabulary:,} pieces |
| learned from | {facts["pairs"]:,} pairs of at most {facts["source_words"]} words a side |
| target pieces read | {facts["target_pieces"]:,} in {facts["steps"]:,} steps, the same for all five |
| dev loss of each rate after {facts["trial_steps"]} steps | {tried}; taken: {facts["rate"]:g} |
| at the end, on 300 dev pairs | loss {facts["dev_loss"]:.3f} nats a piece, BLEU {facts["bleu"]:.1f} |
| time | {facts["seconds"] / 60:.0f} minutes of one core, other work beside it |

Made by `python -m model contest --data DATA/en-fr --dev DATA/en-fr/dev.tsv --out FOLDER --ship`, which
follows `model/recipes/rivals.toml`: {MOVED[facts["optimizer"]]},
label smoothing 0.1, gradients clipped at 1, products in bfloat16, the average of the last snapshots.
`training.json` has these facts, `log.jsonl` the whole way.

## Texts and licence

{TEXTS}

The weights learned from share-alike texts among them: name the sources where you use them.
"""
