"""Treebanks in CoNLL-U, with what this project adds to it.

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

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from model.text.refused import Place, Refused
from model.text.treebank.alignments import read_alignment
from model.text.treebank.annotated import Alignment, Annotated
from model.text.treebank.lines import Line, read_lines
from model.text.treebank.rows import read_rows


class _Comment(NamedTuple):
    value: str
    place: Place


def read(path: str | Path) -> Iterator[Annotated]:
    """The sentences of a CoNLL-U file, one at a time.

    Ranges (`1-2`) only tell where spaces are, and empty nodes (`1.1`) are passed over: the words are those
    that have a head.
    """
    lines: list[Line] = []
    found = False
    for line in read_lines(path):
        if line.text.strip():
            lines.append(line)
        elif lines:
            yield _sentence(lines)
            lines, found = [], True
    if lines:
        yield _sentence(lines)
    elif not found:
        raise Refused("empty", Place(str(path)))


def _sentence(lines: Sequence[Line]) -> Annotated:
    comments = _comments(lines)
    rows, surface, spaces = read_rows(lines)
    _check_tree([row.head for row in rows], [row.place for row in rows])
    values = {key: comment.value for key, comment in comments.items()}
    french_words = tuple(values["words_fr"].split()) if "words_fr" in values else None
    french_heads, french_relations = _french_tree(comments, french_words)
    return Annotated(
        text=values.get("text", surface),
        words=tuple(row.form for row in rows),
        lemmas=tuple(row.lemma for row in rows),
        upos=tuple(row.upos for row in rows),
        heads=tuple(row.head - 1 for row in rows),
        relations=tuple(row.relation for row in rows),
        spaces_after=spaces,
        antecedents={
            index: _antecedent(row.misc["Antecedent"], len(rows), row.place) - 1
            for index, row in enumerate(rows)
            if "Antecedent" in row.misc
        },
        french=values.get("text_fr"),
        french_words=french_words,
        french_heads=french_heads,
        french_relations=french_relations,
        alignment=_alignment(comments.get("alignment"), len(rows), french_words),
        id=values.get("sent_id"),
        reason=values.get("reason"),
    )


def _comments(lines: Sequence[Line]) -> dict[str, _Comment]:
    """Every comment that has the form `# key = value`, by its key."""
    found = {}
    for text, place in lines:
        if text.startswith("#"):
            key, equals, value = text[1:].partition("=")
            if equals:
                found[key.strip()] = _Comment(value.strip(), place)
    return found


def _check_tree(heads: Sequence[int], places: Sequence[Place]) -> None:
    """Heads are counted from 1, as a file gives them; an error names the place of its word."""
    roots = heads.count(0)
    if roots != 1:
        raise Refused("roots", places[0], found=roots)
    for head, place in zip(heads, places, strict=True):
        if head > len(heads):
            raise Refused("head_beyond", place, head=head, count=len(heads))
    rooted = {0}
    for word, place in enumerate(places, 1):
        path: list[int] = []
        number = word
        while number not in rooted:
            if number in path:
                raise Refused("circle", place, word=word)
            path.append(number)
            number = heads[number - 1]
        rooted.update(path)


def _french_tree(
    comments: Mapping[str, _Comment], words: tuple[str, ...] | None
) -> tuple[tuple[int, ...], tuple[str, ...]] | tuple[None, None]:
    """The heads, counted from 0, and the relations of the French words."""
    given = [key for key in ("heads_fr", "relations_fr") if key in comments]
    if not given:
        return None, None
    place = comments[given[0]].place
    if len(given) == 1:
        raise Refused("french_half", place, given=given[0])
    if words is None:
        raise Refused("french_wordless", place)
    heads, relations = (comments[key].value.split() for key in given)
    for key, found in zip(given, (heads, relations), strict=True):
        if len(found) != len(words):
            raise Refused("french_count", comments[key].place, key=key, found=len(found), wanted=len(words))
    for head in heads:
        if not head.isdecimal():
            raise Refused("head", place, head=head)
    numbers = [int(head) for head in heads]
    _check_tree(numbers, [place] * len(words))
    return tuple(number - 1 for number in numbers), tuple(relations)


def _antecedent(number: str, largest: int, place: Place) -> int:
    if not number.isdecimal() or not 1 <= int(number) <= largest:
        raise Refused("antecedent", place, found=number, count=largest)
    return int(number)


def _alignment(comment: _Comment | None, count: int, french: tuple[str, ...] | None) -> Alignment | None:
    if comment is None:
        return None
    links, place = comment
    alignment = read_alignment(links, place)
    if french is None:
        raise Refused("link_wordless", place)
    for source, target in alignment.sure | alignment.possible:
        if source >= count or target >= len(french):
            link = f"{source}-{target}"
            raise Refused("link_beyond", place, link=link, english=count, french=len(french))
    return alignment
