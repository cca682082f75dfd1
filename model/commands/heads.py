"""`python -m model heads`: what every head does over a corpus, as atlas.json."""

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice, zip_longest
from pathlib import Path

from model.atlas import report
from model.atlas.causal import report as causal_report
from model.commands.causal import phenomena_of
from model.commands.measuring import causal, measured
from model.commands.shared import add_command
from model.probe.corpora import PROBES
from model.processes import processes
from model.text.treebank import Annotated, plain, read, read_alignments, read_text
from model.translator import Translator, load


def add_heads(commands: argparse._SubParsersAction) -> None:
    about = "Measure what every head does over a treebank or a text."
    command = add_command(commands, "heads", _heads, about, more=f"{report.__doc__}\n{causal_report.__doc__}")
    corpus = command.add_mutually_exclusive_group(required=True)
    corpus.add_argument("--conllu", type=Path, metavar="FILE", help="a treebank in CoNLL-U")
    corpus.add_argument("--text", type=Path, metavar="FILE", help="plain text, one sentence a line")
    corpus.add_argument(
        "--probe", choices=tuple(PROBES), help="our own sentences: written by hand, or by a small grammar"
    )
    add = command.add_argument
    about = "one line of links per sentence of the treebank: i-j i?j …"
    add("--alignments", type=Path, metavar="FILE", help=about)
    add("--out", required=True, type=Path, metavar="FILE.json", help="where to")
    add("--limit", type=int, metavar="N", help="only the first N sentences")
    add("--no-silencing", dest="silencing", action="store_false", help="leave out the slow parts")
    about = "ask these phenomena of every head (default: those of the checkpoint's languages)"
    add("--contrasts", type=Path, nargs="+", metavar="FILE.tsv", help=about)
    add("--no-causal", dest="causal", action="store_false", help="leave out what breaks without each head")


def _heads(options: argparse.Namespace) -> None:
    if options.limit is not None and options.limit < 2:
        raise ValueError(f"--limit must be at least 2, one sentence for each half, not {options.limit}")
    if options.alignments is not None and options.conllu is None:
        raise ValueError("--alignments goes with --conllu, whose words and French they link")
    if not options.out.parent.is_dir():
        raise ValueError(f"no folder {options.out.parent} to write {options.out.name} to")
    translator = load(options.checkpoint)
    total = _check(translator, options)
    asked = phenomena_of(translator, options.contrasts) if options.causal and options.silencing else []
    name = options.probe or (options.conllu or options.text).name
    with processes() as group:
        found = measured(translator, _sentences(options), total, name, group, options.silencing)
        found |= causal(translator, asked, group)
        if group.first:
            report.write_atlas(options.out, found)


def _check(translator: Translator, options: argparse.Namespace) -> int:
    """How many sentences there are, refusing a bad one before anything is computed."""
    place, count = options.probe or options.conllu or options.text, 0
    for count, sentence in enumerate(_sentences(options), 1):
        given = sentence.french if sentence.alignment or sentence.french_heads else None
        for text in (sentence.text, given):
            try:
                if text is not None:
                    translator.read(text)
            except ValueError as error:
                raise ValueError(f"{place}, sentence {count}: {error}") from None
    if count < 2:
        raise ValueError(f"{place} has {count} sentence; each half needs at least one")
    return count


def _sentences(options: argparse.Namespace) -> Iterator[Annotated]:
    found: Iterable[Annotated]
    if options.probe is not None:
        found = PROBES[options.probe]()
    elif options.text is not None:
        found = (plain(text) for text in read_text(options.text))
    elif options.alignments is None:
        found = read(options.conllu)
    else:
        found = _aligned(options.conllu, options.alignments)
    return islice(found, options.limit)


def _aligned(conllu: Path, alignments: Path) -> Iterator[Annotated]:
    """Sentences with the links of another file, in place of their own."""
    for line, (sentence, links) in enumerate(zip_longest(read(conllu), read_alignments(alignments)), 1):
        place = f"{alignments}, line {line}"
        if sentence is None:
            raise ValueError(f"{place}: the treebank has only {line - 1} sentences")
        if links is None:
            raise ValueError(f"{place} is missing: the treebank has more sentences")
        pairs = links.sure | links.possible
        french = sentence.french_words or tuple((sentence.french or "").split())
        if pairs and not french:
            raise ValueError(f"{place}: the treebank gives no French for this sentence; add # text_fr = …")
        for source, target in pairs:
            if source >= len(sentence.words) or target >= len(french):
                size = f"{len(sentence.words)} English or {len(french)} French words"
                raise ValueError(f"{place}: the link {source}-{target} leaves the {size}")
        yield replace(sentence, alignment=links if pairs else None)
