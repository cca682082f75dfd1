"""The measured parts of a checkpoint's card.md. The words around them are written by people and stay.

A part stands between `<!-- name -->` and `<!-- /name -->`; making the card again replaces it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from model.network.kinds import KINDS
from model.probe.gender import Score
from model.training.evaluation import Quality
from model.translator import Translator

Row = Sequence[object]
Json = Mapping[str, Any]
# Accuracy / best fixed offset, in per cent. Voita et al. 2019, figure 5 (English–Russian, WMT and
# OpenSubtitles, the better of the encoder's heads); Clark et al. 2019, the authors' notebook (BERT-base).
PUBLISHED = {  # measure: (what it is, Voita on WMT, Voita on OpenSubtitles, Clark)
    "relation.nsubj.to_dependent": ("verb → its subject", "45 / 35", "77 / 45", "58.5 / 45.5"),
    "relation.nsubj.to_head": ("subject → its verb", "52 / 35", "70 / 45", "58.5 / 45.5"),
    "relation.obj.to_dependent": ("verb → its object", "78 / 41", "61 / 46", "86.8 / 40.0"),
    "relation.obj.to_head": ("object → its verb", "73 / 41", "84 / 46", "86.8 / 40.0"),
    "relation.amod.to_dependent": ("noun → its adjective", "74 / 72", "81 / 80", "75.6 / 68.3"),
    "relation.amod.to_head": ("adjective → its noun", "82 / 72", "81 / 80", "75.6 / 68.3"),
    "relation.advmod.to_dependent": ("verb → its adverb", "48 / 46", "38 / 33", "48.8 / 40.2"),
    "relation.advmod.to_head": ("adverb → its verb", "52 / 46", "42 / 33", "48.8 / 40.2"),
    "relation.det.to_head": ("determiner → its noun", "", "", "94.3 / 51.7"),
    "relation.aux.to_head": ("auxiliary → its verb", "", "", "81.1 / 71.5"),
    "relation.cop.to_head": ("copula → its predicate", "", "", "72.2 / 40.5"),
    "relation.mark.to_head": ("“that”, “if” → the clause's verb", "", "", "50.7 / 14.5"),
    "relation.nmod:poss.to_head": ("owner → what is owned", "", "", "80.5 / 47.7"),
    "relation.ccomp.to_head": ("clause → the verb it completes", "", "", "48.8 / 12.4"),
}


def fill(card: str, parts: Mapping[str, str]) -> str:
    """The card with its measured parts replaced.

    >>> fill("Good: <!-- bleu -->12<!-- /bleu -->.", {"bleu": "38"})
    'Good: <!-- bleu -->38<!-- /bleu -->.'
    """
    for name, text in parts.items():
        before, after = f"<!-- {name} -->", f"<!-- /{name} -->"
        places = re.split(f"{before}.*?{after}", card, flags=re.DOTALL)
        if len(places) != 2:
            raise ValueError(f"card.md has {len(places) - 1} places {before} … {after}, not 1")
        card = f"{before}{text}{after}".join(places)
    return card


def shape(translator: Translator) -> str:
    config = translator.config
    parameters = sum(weight.numel() for weight in translator.model.parameters())
    return (
        f"{config.layers} + {config.depth('decoder')} layers, {config.heads} heads, width {config.width}, "
        f"feed-forward {config.hidden:,}, {parameters:,} parameters, {config.vocabulary:,} pieces"
    )


def scores(dev: str, greedy: Quality, beam: Quality, own: Quality, gender: Mapping[str, Score]) -> str:
    """BLEU and chrF on pairs it has not seen, and whether pronouns get the right gender."""
    rows = [
        (f"{dev}, {greedy.sentences:,} pairs: BLEU", f"{greedy.bleu:.1f}", f"{beam.bleu:.1f}"),
        ("the same: chrF", f"{greedy.chrf:.1f}", f"{beam.chrf:.1f}"),
        (f"the {own.sentences} sentences of model/probe/hand.conllu: BLEU", f"{own.bleu:.1f}", ""),
        ("the same: chrF", f"{own.chrf:.1f}", ""),
    ]
    rows += [
        (f"right gender of “it” and “they”, {name} (feminine ones)",
         f"{found.right} of {found.cases} ({found.right_feminine} of {found.feminine})", "")
        for name, found in gender.items()
    ]  # fmt: skip
    return f"\n{_table(('measured on', 'greedy', 'beam 4'), rows)}\n\nsacrebleu `{greedy.signature}`.\n"


def training(log: Iterable[Json]) -> str:
    """What the log of the run tells: how long, how much, and where it ended."""
    log = list(log)
    steps = [line for line in log if "pieces" in line]
    scored = [line for line in log if "dev_loss" in line]
    last, pieces = log[-1], sum(line["pieces"] for line in steps) / len(steps)
    total = last["step"] * pieces / 1e6
    return (
        f"{last['step']:,} steps of about {pieces:,.0f} target pieces, {total:.1f} million in all, in "
        f"{last['seconds'] / 3600:.1f} hours; dev loss {scored[0]['dev_loss']:.2f} at first, "
        f"{scored[-1]['dev_loss']:.3f} at the end"
    )


def roles(atlases: Mapping[str, Json]) -> str:
    """For each corpus the roles that hold, with the head that is surest of each."""
    text = ""
    for name, atlas in atlases.items():
        tried, counted = atlas["hypotheses"], atlas["sentences"]["measured"]
        text += (
            f"\nOver {counted:,} sentences ({name}): {tried['tested']:,} hypotheses tested, "
            f"{tried['chosen']} met on one half of the sentences, {tried['held']} roles held on the other.\n"
        )
        found: dict[tuple[str, str], list[Json]] = {}
        for role in atlas["evidence"]:
            found.setdefault((role["role"], role["kind"]), []).append(role)
        rows = [
            (_words(role), kind, len(held), *_evidence(max(held, key=_clearance)))
            for (role, kind), held in found.items()
        ]
        if rows:
            head = ("role", "attention", "heads", "surest", "value (95 %)", "baseline", "untrained", "n")
            text += f"\n{_table(head, rows)}\n"
    return text


def causal(atlas: Json) -> str:
    """The heads that carry something, by what breaks without them."""
    if not atlas.get("causal"):
        return "\nNo contrasts have been written for these languages.\n"
    tried, rows = atlas["causal_method"]["hypotheses"], []
    for name, told in atlas["causal"].items():
        for entry in sorted(told["heads"], key=_lost):
            if entry["role"]:
                value = entry["silenced"]
                rows.append((
                    name, entry["kind"], f"{entry['layer'] + 1}·{entry['head'] + 1}",
                    f"{told['gap']:.1f}", f"{value['value']:.1f} ({value['low']:.1f} to {value['high']:.1f})",
                    f"{100 * entry['flips']:.0f} %", f"{entry['specificity']:.2f}",
                    f"{told['rows']} of {told['given']}",
                ))  # fmt: skip
    titles = ("without it", "attention", "head", "gap", "change (95 %)", "flips", "specificity", "rows")
    having = len({row[0] for row in rows})
    text = (
        f"\n{having} of {len(atlas['causal'])} phenomena have a head that carries them: "
        f"{tried['tested']:,} hypotheses tested, {tried['chosen']} met on one half of the rows, "
        f"{tried['held']} held on the other.\n"
    )
    return text + (f"\n{_table(titles, rows)}\n" if rows else "")


def _lost(entry: Json) -> float:
    return float(entry["silenced"]["value"]) if entry["silenced"] else 0.0


def beside(treebank: Json, hand: Json) -> str:
    """The best heads here beside those of published models: chosen on one half, reported on the other."""
    rows: list[Row] = []
    for measure, (what, *published) in PUBLISHED.items():
        if found := best(treebank, "encoder", measure):
            head, entry = found
            here = f"{100 * entry['value']:.0f} / {100 * entry['baseline']:.0f}"
            rows.append((what, head, here, f"{100 * entry['null']:.0f}", *published))
    titles = (
        "accuracy / best fixed offset, %", "head", "here", "untrained",
        "Voita, WMT", "Voita, subtitles", "Clark, BERT",
    )  # fmt: skip
    return f"\n{_table(titles, rows)}\n\n{_table(('', 'here', 'elsewhere'), _others(treebank, hand))}\n"


def _others(treebank: Json, hand: Json) -> list[Row]:
    encoder = [entry["measures"] for entry in treebank["heads"] if entry["kind"] == "encoder"]
    above = {
        name: sum(measures[name]["value"] > least for measures in encoder)
        for name, least in (("offset", 0.9), ("previous", 0.5), ("next", 0.5))
    }
    rows: list[Row] = [
        ("encoder heads that point at one offset in 90 % of rows", f"{above['offset']} of {len(encoder)}",
         "a few of 48, at ±1 (Voita)"),
        ("encoder heads with half their weight on the previous / next piece",
         f"{above['previous']} / {above['next']} of {len(encoder)}", "4 / 5 of 144 (Clark)"),
        ("best encoder head at the rarest word", _rate(best(treebank, "encoder", "rarest")),
         "66 %, first layer, subtitles (Voita)"),
        ("best encoder head at a pronoun's antecedent", _rate(best(hand, "encoder", "antecedent")),
         "64 %, nearest noun 27 % (Clark)"),
    ]  # fmt: skip
    published = {
        "aer.read": "0.298 (best layer, Kobayashi et al. 2020), 0.282 (ALTI+, Ferrando et al. 2022)",
        "aer.predicted": "0.477 (Kobayashi), 0.499 (ALTI+)",
    }
    names = {"aer.read": "the piece a row reads", "aer.predicted": "the piece a row predicts"}
    for measure, elsewhere in published.items():
        if found := best(hand, "cross", measure):
            where, entry = found
            here = f"{entry['value']:.3f} ({where}); diagonal {entry['baseline']:.3f}"
            rows.append((f"alignment error of {names[measure]}, by weight", here, elsewhere))
    drops = [
        max(entry["measures"]["silenced"]["value"] for entry in hand["heads"] if entry["kind"] == kind)
        for kind in KINDS
        if "silenced" in hand["heads"][0]["measures"]
    ]
    if drops:
        rows.append((
            "nats a piece lost when the one most important head is silenced: encoder, decoder, cross",
            ", ".join(f"{drop:.3f}" for drop in drops), "cross-attention matters most (Voita, Michel)",
        ))  # fmt: skip
    return rows


def best(atlas: Json, kind: str, measure: str) -> tuple[str, Json] | None:
    """The head that one half of the sentences chose, and what the other half says of it."""
    if f"{kind}.{measure}" not in atlas["best"]:
        return None
    layer, head = atlas["best"][f"{kind}.{measure}"]
    entry = next(
        each for each in atlas["heads"] if (each["kind"], each["layer"], each["head"]) == (kind, layer, head)
    )
    return f"{layer + 1}·{head + 1}", entry["measures"][measure]


def _rate(found: tuple[str, Json] | None) -> str:
    if found is None:
        return "–"
    head, entry = found
    return f"{100 * entry['value']:.0f} % ({head}), best simple rule {100 * entry['baseline']:.0f} %"


def _clearance(role: Json) -> float:
    return abs(role["value"] - (role["baseline"] if role["baseline"] is not None else 0))


def _evidence(role: Json) -> Row:
    return (
        f"{role['layer'] + 1}·{role['head'] + 1}",
        f"{role['value']:.2f} ({role['low']:.2f}–{role['high']:.2f})",
        "–" if role["baseline"] is None else f"{role['baseline']:.2f}",
        f"{role['null']:.2f}",
        f"{role['n']:,}",
    )


def _words(role: str) -> str:
    if not role.startswith("relation."):
        return role
    relation, _, way = role.removeprefix("relation.").rpartition(".")
    return f"{relation}, {way.replace('_', ' ')}"


def _table(head: Row, rows: Iterable[Row]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)
