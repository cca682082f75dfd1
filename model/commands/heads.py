"""`python -m model heads`: what every head does over a corpus, as atlas.json."""

import argparse
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice, zip_longest
from pathlib import Path

from model import checkpoint
from model.atlas import report as atlas_file
from model.commands.shell import add_command
from model.probe import HAND, grammar
from model.progress import Progress
from model.text.treebank import Annotated, read, read_alignments, read_text
from model.translator import Translator, load

PROBES: dict[str, Callable[[], Iterable[Annotated]]] = {
    "hand": lambda: read(HAND),
    "grammar": grammar.sentences,
}


def add_heads(commands: argparse._SubParsersAction) -> None:
    about = "Measure what every head does over a treebank or a text."
    command = add_command(
        commands, "heads", _heads, about,
        epilog=atlas_file.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    corpus = command.add_mutually_exclusive_group(required=True)
    corpus.add_argument("--conllu", type=Path, metavar="FILE", help="a treebank in CoNLL-U")
    corpus.add_argument("--text", type=Path, metavar="FILE", help="plain text, one sentence a line")
    corpus.add_argument(
        "--probe", choices=tuple(PROBES), help="our own sentences: written by hand, or by a small grammar"
    )
    add = command.add_argument
    add(
        "--alignments",
        type=Path,
        metavar="FILE",
        help="a line of links a sentence of the treebank: i-j i?j …",
    )
    add("--out", required=True, type=Path, metavar="FILE.json", help="where to")
    add("--limit", type=int, metavar="N", help="only the first N sentences")
    add("--no-silencing", dest="silencing", action="store_false", help="leave out the slow part")


def _heads(options: argparse.Namespace) -> None:
    from model.atlas.observed import make_atlas
    from model.processes import processes

    if options.limit is not None and options.limit < 2:
        raise ValueError(f"--limit must be at least 2, one sentence for each half, not {options.limit}")
    if options.alignments is not None and options.conllu is None:
        raise ValueError("--alignments goes with --conllu, whose words and French they link")
    if not options.out.parent.is_dir():
        raise ValueError(f"no folder {options.out.parent} to write {options.out.name} to")
    translator = load(options.checkpoint)
    total = _check(translator, options)
    with processes() as group:
        shown = Progress(total)

        def progress(done: int) -> None:
            if group.first and (all_done := done * group.count) < total:  # the others are about as far
                shown.show(all_done)

        found = make_atlas(
            translator, _sentences(options), options.probe or (options.conllu or options.text).name,
            silencing=options.silencing, group=group, progress=progress,
        )  # fmt: skip
        if group.first:
            shown.show(total)
            write_atlas(options.out, found)


def write_atlas(path: Path, atlas: dict) -> None:
    text = json.dumps(atlas, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    checkpoint.write(path, text.encode() + b"\n")
    if (path.parent / checkpoint.SUMS).exists():  # it has become part of a checkpoint
        checkpoint.seal(path.parent)


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
    if options.probe is not None:
        found = PROBES[options.probe]()
    elif options.text is not None:
        found = (plain(text) for text in read_text(options.text))
    elif options.alignments is None:
        found = read(options.conllu)
    else:
        found = _aligned(options.conllu, options.alignments)
    return islice(found, options.limit)


def plain(text: str) -> Annotated:
    """A sentence of which nothing is known."""
    return Annotated(text, (), (), (), (), (), ())


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
