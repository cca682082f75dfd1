"""Numbers for Marian's pieces: special tokens first, then every piece that either language has, once."""

from typing import NamedTuple

import sentencepiece
import torch
from torch import Tensor

from model.marian.folder import CONFIG, SOURCE, TARGET, TARGET_VOCABULARY, TOKENIZER, VOCABULARY, Folder
from model.network.config import END, PAD, START, UNKNOWN
from model.text.marian import NAMES, READ, WRITTEN, MarianTokenizer, Numbered, is_language
from model.text.tokenizer import Tokenizer


class Rows(NamedTuple):
    """By number of ours, the row of Marian's matrices; -1 where that side has no such piece."""

    source: Tensor  # (V)
    target: Tensor  # (V)
    start: bool  # whether Marian has a piece that begins translations and nothing else


def renumber(folder: Folder, language: str, never: set[int]) -> tuple[Tokenizer, Rows]:
    """A tokenizer with our numbers, and where each number stands in Marian's matrices.

    A row without a piece is left out where nobody can read it, and where it is `never` written.
    """
    source, target = _specials(folder)
    own = target[START] not in (target[PAD], target[END], target[UNKNOWN])
    sizes = folder.config["vocab_size"], folder.config["decoder_vocab_size"]
    pieces = list(NAMES.values())
    rows = [[special[id] for id in NAMES] for special in (source, target)]
    places: dict[str, int] = {}
    sides = [READ | WRITTEN] * len(NAMES)
    vocabularies = ((READ, folder.vocabulary, source), (WRITTEN, folder.target_vocabulary, target))
    for (side, vocabulary, special), size in zip(
        vocabularies[: 1 if folder.shared else 2], sizes, strict=False
    ):
        by_row = {row: piece for piece, row in vocabulary.items()}
        taken = {special[PAD], special[END], special[UNKNOWN], *([special[START]] if own else [])}
        if not folder.shared:
            taken |= {row for row in range(size) if row not in by_row and (side == READ or row in never)}
        for row in range(size):
            if row in taken:
                continue
            piece = by_row.get(row, f"<unused {side}.{row}>")
            if piece not in places:
                places[piece] = len(pieces)
                pieces.append(piece)
                sides.append(0)
                rows[0].append(-1)
                rows[1].append(-1)
            place = places[piece]
            for each in (READ, WRITTEN) if folder.shared else (side,):
                sides[place] |= each
                rows[0 if each == READ else 1][place] = row
    found = Rows(torch.tensor(rows[0]), torch.tensor(rows[1]), own)
    if _is_ours(folder, pieces):
        return Tokenizer(folder.source), found
    numbered = Numbered(
        folder.source, folder.target, tuple(pieces), tuple(sides), _language(folder, language)
    )
    return MarianTokenizer(_checked(numbered, folder).to_bytes()), found


def _specials(folder: Folder) -> tuple[dict[int, int], dict[int, int]]:
    """Marian's rows of our special tokens, for either side."""
    config, end = folder.config, folder.target_vocabulary["</s>"]
    if end != config["eos_token_id"]:
        name = VOCABULARY if folder.target_vocabulary is folder.vocabulary else TARGET_VOCABULARY
        raise ValueError(
            f"{folder.path / name} numbers </s> {end}, and {CONFIG} says {config['eos_token_id']}; "
            "they belong to different models"
        )
    target = {
        PAD: config["pad_token_id"], START: config["decoder_start_token_id"], END: end,
        UNKNOWN: folder.target_vocabulary["<unk>"],
    }  # fmt: skip
    if folder.shared:
        return target, target
    source = folder.vocabulary
    pad = source.get("<pad>", min(target[PAD], config["vocab_size"] - 1))
    name = next((piece for piece, row in folder.target_vocabulary.items() if row == target[START]), "")
    return {PAD: pad, START: source.get(name, pad), END: source["</s>"], UNKNOWN: source["<unk>"]}, target


def _is_ours(folder: Folder, pieces: list[str]) -> bool:
    """Whether this vocabulary is one of ours that was written as Marian's: then it spells as ours do."""
    if folder.source != folder.target:
        return False
    try:
        processor = Tokenizer(folder.source)
    except ValueError:
        return False
    return list(processor.spelled(range(len(processor)))) == pieces


def _checked(numbered: Numbered, folder: Folder) -> Numbered:
    """Refuse models that cut into pieces of another vocabulary."""
    for name, model, side in ((SOURCE, numbered.source, READ), (TARGET, numbered.target, WRITTEN)):
        try:
            processor = sentencepiece.SentencePieceProcessor(model_proto=model)
        except RuntimeError:
            raise ValueError(f"{folder.path / name} is not a SentencePiece model") from None
        both = zip(numbered.pieces, numbered.sides, strict=True)
        known = {piece for piece, sides in both if sides & side}
        cut = [processor.id_to_piece(id) for id in range(processor.get_piece_size())]
        if 2 * sum(piece in known for piece in cut) < len(cut):
            raise ValueError(
                f"{folder.path / name} cuts into pieces that {VOCABULARY} mostly lacks; "
                "they belong to different models"
            )
    return numbered


def _language(folder: Folder, asked: str) -> str:
    """The piece that sentences begin with, where a model writes several languages."""
    known = sorted(piece[2:-2] for piece in folder.vocabulary if is_language(piece))
    if not known and asked:
        raise ValueError(
            f"{folder.path / VOCABULARY} names no languages: this model writes one, without --to"
        )
    if not known:
        return ""
    usual = folder.said.get("target_lang")
    language = asked or (known[0] if len(known) == 1 else usual if usual in known else "")
    if language not in known:
        few = ", ".join(known[:12]) + (", …" if len(known) > 12 else "")
        told = f"there is no {asked[:40]!r}" if asked else f"say which with --to ({TOKENIZER} does not)"
        raise ValueError(
            f"{folder.path / VOCABULARY}: this model writes {len(known)} languages, {few}; {told}"
        )
    return f">>{language}<<"
