"""Annotated sentences from files: CoNLL-U treebanks, plain text, and word alignments.

Files are read one sentence at a time, so a treebank may be longer than memory; the first malformed line is
refused with its number.

Beside what Universal Dependencies define, a sentence may say, each in a comment of its own:

    # reason = pronoun                      why the sentence is there
    # text_fr = Il n'a pas faim.            its French
    # words_fr = Il n' a pas faim .         the French words, between single spaces
    # heads_fr = 3 3 0 3 3 3                the French word that each of them depends on, counted from 1;
                                            0 for the root
    # relations_fr = nsubj advmod root …    and by which relation; a French tree has both lines
    # alignment = 0-0 1-3 1?2               words that translate each other, counted from 0 in both languages:
                                            `i-j` is sure, `i?j` is possible

and a pronoun names the word it stands for as `Antecedent=ID` in its MISC column.

French words are split at spaces, then: . , ; : ? ! stand alone; an elided word ends with its apostrophe
(`l' été`, `qu' il`; but aujourd'hui is one word); a pronoun after its verb begins with its hyphen
(`as -tu`, `a -t-il`, `est -ce`); any other hyphen stays inside its word (grand-mère).
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from model.network.config import UNKNOWN
from model.text.tokenizer import BYTE, SPACE, SPECIAL, Tokens, normalise

_COLUMNS = 10
_ID = re.compile(r"([1-9]\d*)|([1-9]\d*)-([1-9]\d*)|\d+\.[1-9]\d*", re.ASCII)
_LINK = re.compile(r"(\d+)([-?])(\d+)", re.ASCII)


class Alignment(NamedTuple):
    """Pairs (source word, target word), counted from 0; no pair is in both sets."""

    sure: frozenset[tuple[int, int]]
    possible: frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Annotated:
    """A sentence, its words, and what is known about them; words are counted from 0."""

    text: str
    words: tuple[str, ...]
    lemmas: tuple[str, ...]
    upos: tuple[str, ...]
    heads: tuple[int, ...]  # the word each depends on; -1 for the root
    relations: tuple[str, ...]
    spaces_after: tuple[bool, ...]
    antecedents: dict[int, int] = field(default_factory=dict)  # {pronoun: the word it stands for}
    french: str | None = None
    french_words: tuple[str, ...] | None = None
    french_heads: tuple[int, ...] | None = None  # as `heads`, among the French words
    french_relations: tuple[str, ...] | None = None
    alignment: Alignment | None = None
    id: str | None = None
    reason: str | None = None


def read(path: str | Path) -> Iterator[Annotated]:
    """The sentences of a CoNLL-U file, one at a time.

    Ranges (`1-2`) only tell where spaces are, and empty nodes (`1.1`) are passed over: the words are those
    that have a head.
    """
    lines: list[_Line] = []
    found = False
    for line in _lines(path):
        if line.text.strip():
            lines.append(line)
        elif lines:
            yield _sentence(lines)
            lines, found = [], True
    if lines:
        yield _sentence(lines)
    elif not found:
        raise ValueError(f"{path} holds no sentence")


def read_text(path: str | Path) -> Iterator[str]:
    """The sentences of a plain text, one a line, normalised; blank lines are passed over."""
    found = False
    for line in _lines(path):
        if text := normalise(line.text):
            yield text
            found = True
    if not found:
        raise ValueError(f"{path} holds no sentence")


def read_alignments(path: str | Path) -> Iterator[Alignment]:
    """One sentence a line in Pharaoh format; a blank line is a sentence without a link."""
    for line in _lines(path):
        yield read_alignment(line.text, line.place)


def pieces_of_words(annotated: Annotated, tokens: Tokens) -> list[list[int]] | None:
    """For each word, the positions of the pieces that spell it; None if words and pieces do not fit.

    Words and pieces are laid over the normalised text without its spaces. A piece belongs to the word in
    which it begins, also if it goes on into the next one; a piece that is only a space, to the word that
    follows. Special tokens belong to none. Words and pieces do not fit if they spell different texts (a
    treebank may write `du` as the words `de le`), or if some word begins no piece of its own.

    >>> tokens = Tokens((9, 8, 7, 2), ("▁It", "▁isn", "'t", "</s>"), (0, 1, 1, -1))
    >>> tree = dict(lemmas=(), upos=(), heads=(), relations=(), spaces_after=())
    >>> pieces_of_words(Annotated("It isn't", ("It", "isn", "'t"), **tree), tokens)
    [[0], [1], [2]]
    """
    words = [normalise(word).replace(" ", "").encode() for word in annotated.words]
    pieces = [
        b"" if id in SPECIAL else _bytes(piece) for id, piece in zip(tokens.ids, tokens.pieces, strict=True)
    ]
    if UNKNOWN in tokens.ids or not all(words) or b"".join(words) != b"".join(pieces):
        return None
    begins = [0, *accumulate(map(len, words))][:-1]
    spelled: list[list[int]] = [[] for _ in words]
    offset = 0
    for position, (id, piece) in enumerate(zip(tokens.ids, pieces, strict=True)):
        if id not in SPECIAL:
            spelled[bisect_right(begins, offset) - 1].append(position)
        offset += len(piece)
    return spelled if all(spelled) else None


def _bytes(piece: str) -> bytes:
    """What a piece spells; only a piece may stand for one byte, a word that looks like it is a word."""
    if byte := BYTE.fullmatch(piece):
        return bytes.fromhex(byte[1])
    return piece.replace(SPACE, "").encode()


class _Line(NamedTuple):
    text: str
    place: str  # the file and the line's number, for complaints


def _lines(path: str | Path) -> Iterator[_Line]:
    try:
        with open(path, "rb") as file:
            for number, line in enumerate(file, 1):
                place = f"{path}, line {number}"
                try:
                    text = line.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError:
                    raise ValueError(f"{place}: not UTF-8") from None
                yield _Line(text.removesuffix("\n").removesuffix("\r"), place)
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from None


class _Row(NamedTuple):
    """One word as the file gives it, counted from 1."""

    form: str
    lemma: str
    upos: str
    head: int
    relation: str
    misc: dict[str, str]
    place: str


def _sentence(lines: Sequence[_Line]) -> Annotated:
    comments = _comments(lines)
    rows, surface, spaces = _rows(lines)
    _check_tree([row.head for row in rows], [row.place for row in rows])
    count = len(rows)
    antecedents = {
        index: _whole(row.misc["Antecedent"], count, "antecedent", row.place) - 1
        for index, row in enumerate(rows)
        if "Antecedent" in row.misc
    }
    text, _ = comments.get("text", (surface, ""))
    french_words = tuple(comments["words_fr"][0].split()) if "words_fr" in comments else None
    alignment = None
    if "alignment" in comments:
        links, place = comments["alignment"]
        alignment = read_alignment(links, place)
        _check_links(alignment, count, french_words, place)
    return Annotated(
        text,
        *(tuple(column) for column in zip(*((row.form, row.lemma, row.upos, row.head - 1, row.relation)
                                            for row in rows), strict=True)),
        spaces,
        antecedents,
        comments.get("text_fr", (None, ""))[0],
        french_words,
        *_french_tree(comments, french_words),
        alignment,
        comments.get("sent_id", (None, ""))[0],
        comments.get("reason", (None, ""))[0],
    )  # fmt: skip


def _comments(lines: Sequence[_Line]) -> dict[str, tuple[str, str]]:
    """{key: (value, place)} of every comment that has the form `# key = value`."""
    found = {}
    for text, place in lines:
        if text.startswith("#"):
            key, equals, value = text[1:].partition("=")
            if equals:
                found[key.strip()] = value.strip(), place
    return found


def _rows(lines: Sequence[_Line]) -> tuple[list[_Row], str, tuple[bool, ...]]:
    """The words, the text that they were written as, and whether a space follows each word."""
    rows: list[_Row] = []
    surface, spaces = "", []
    until, space_after_range = 0, True  # the last word of the range we are in, and what follows the range
    for text, place in lines:
        if text.startswith("#"):
            continue
        columns = text.split("\t")
        if len(columns) != _COLUMNS:
            raise ValueError(f"{place}: {len(columns)} columns between TABs, not {_COLUMNS}")
        if not all(columns):
            raise ValueError(f"{place}: column {columns.index('') + 1} is empty; write _ for nothing")
        id, form, misc = columns[0], columns[1], _features(columns[9])
        if not (match := _ID.fullmatch(id)):
            raise ValueError(f"{place}: {id!r} is not the number of a word, a range or an empty node")
        space = misc.get("SpaceAfter") != "No"
        if match[2]:
            first, last = int(match[2]), int(match[3])
            if first != len(rows) + 1 or last < first or first <= until:
                raise ValueError(f"{place}: the range {id} does not begin at the next word, {len(rows) + 1}")
            until, space_after_range = last, space
            surface += form + " " * space
        elif match[1]:
            if int(id) != len(rows) + 1:
                raise ValueError(f"{place}: word {id} stands where word {len(rows) + 1} is expected")
            if not columns[6].isdecimal():
                raise ValueError(f"{place}: the head is {columns[6]!r}, not the number of a word or 0")
            rows.append(_Row(form, columns[2], columns[3], int(columns[6]), columns[7], misc, place))
            if int(id) > until:
                surface += form + " " * space
                spaces.append(space)
            else:
                spaces.append(int(id) == until and space_after_range)
    if until > len(rows):
        raise ValueError(f"{lines[-1].place}: a range ends at word {until}, the sentence at {len(rows)}")
    if not rows:
        raise ValueError(f"{lines[-1].place}: a sentence without words")
    return rows, surface.strip(), tuple(spaces)


def _features(column: str) -> dict[str, str]:
    return dict(pair.split("=", 1) for pair in column.split("|") if "=" in pair)


def _check_tree(heads: Sequence[int], places: Sequence[str]) -> None:
    """Heads are counted from 1, as a file gives them; each word has the place that complaints name."""
    roots = heads.count(0)
    if roots != 1:
        raise ValueError(f"{places[0]}: the sentence has {roots} roots, not 1")
    for head, place in zip(heads, places, strict=True):
        if head > len(heads):
            raise ValueError(f"{place}: the head is {head}, but the sentence has {len(heads)} words")
    rooted = {0}
    for word, place in enumerate(places, 1):
        path: list[int] = []
        number = word
        while number not in rooted:
            if number in path:
                raise ValueError(f"{place}: the heads of word {word} run in a circle")
            path.append(number)
            number = heads[number - 1]
        rooted.update(path)


def _french_tree(
    comments: Mapping[str, tuple[str, str]], words: tuple[str, ...] | None
) -> tuple[tuple[int, ...], tuple[str, ...]] | tuple[None, None]:
    """The heads, counted from 0, and the relations of the French words."""
    given = [key for key in ("heads_fr", "relations_fr") if key in comments]
    if not given:
        return None, None
    place = comments[given[0]][1]
    if len(given) == 1:
        raise ValueError(f"{place}: {given[0]} alone; a French tree needs both heads_fr and relations_fr")
    if words is None:
        raise ValueError(f"{place}: a French tree without the French words; add a line # words_fr = …")
    heads, relations = (comments[key][0].split() for key in given)
    for key, found in zip(given, (heads, relations), strict=True):
        if len(found) != len(words):
            raise ValueError(f"{comments[key][1]}: {key} has {len(found)} entries for {len(words)} words")
    for head in heads:
        if not head.isdecimal():
            raise ValueError(f"{place}: the head is {head!r}, not the number of a word or 0")
    numbers = [int(head) for head in heads]
    _check_tree(numbers, [place] * len(words))
    return tuple(number - 1 for number in numbers), tuple(relations)


def _whole(number: str, largest: int, name: str, place: str) -> int:
    if not number.isdecimal() or not 1 <= int(number) <= largest:
        raise ValueError(f"{place}: the {name} is {number!r}, not the number of a word from 1 to {largest}")
    return int(number)


def read_alignment(links: str, place: str) -> Alignment:
    """Links as a file writes them: `i-j` is sure, `i?j` is possible."""
    kinds: dict[str, set[tuple[int, int]]] = {"-": set(), "?": set()}
    for link in links.split():
        if not (match := _LINK.fullmatch(link)):
            raise ValueError(
                f"{place}: {link!r} is not a link; write i-j if it is sure, i?j if it is possible"
            )
        kinds[match[2]].add((int(match[1]), int(match[3])))
    return Alignment(frozenset(kinds["-"]), frozenset(kinds["?"] - kinds["-"]))


def _check_links(alignment: Alignment, count: int, french: tuple[str, ...] | None, place: str) -> None:
    if french is None:
        raise ValueError(f"{place}: an alignment without the French words; add a line # words_fr = …")
    for source, target in alignment.sure | alignment.possible:
        if source >= count or target >= len(french):
            raise ValueError(
                f"{place}: the link {source}-{target} leaves {count} English and {len(french)} French words"
            )
