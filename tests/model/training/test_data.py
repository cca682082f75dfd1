import numpy as np
import pytest

from model.network.config import END
from model.training.data import (
    batches_from,
    encode_pairs,
    epoch_batches,
    read_pairs,
    refuse_exchanged,
    refuse_mixed,
)
from tests.helpers.tiny import PAIRS, tiny_tokenizer, write_pairs

TOKENS = 300


@pytest.fixture(scope="module")
def corpus():
    return encode_pairs(PAIRS, tiny_tokenizer(), longest=512)


def test_pairs_are_read_as_written_and_further_columns_ignored(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_bytes("\ufeffHello.\tBonjour.\tsomebody\r\n  Yes \tOui\n".encode())
    assert read_pairs(path) == [("Hello.", "Bonjour."), ("Yes", "Oui")]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"no tab here", "line 3: no TAB between source and target"),
        (b"", "line 3: no TAB"),
        (b"\tBonjour", "line 3: the source is blank"),
        (b"Hello\t  ", "line 3: the target is blank"),
        (b"Hello\t\xff\xfe", "line 3: not UTF-8"),
    ],
)
def test_a_malformed_line_is_refused_by_its_number(tmp_path, line, message):
    path = tmp_path / "pairs.tsv"
    path.write_bytes(b"one\tun\ntwo\tdeux\n" + line + b"\nfour\tquatre\n")
    with pytest.raises(ValueError, match=message):
        read_pairs(path)


def test_an_empty_or_missing_file_is_refused_by_its_name(tmp_path):
    (tmp_path / "empty.tsv").touch()
    with pytest.raises(ValueError, match=r"empty\.tsv is empty"):
        read_pairs(tmp_path / "empty.tsv")
    with pytest.raises(ValueError, match=r"cannot read .*nowhere\.tsv"):
        read_pairs(tmp_path / "nowhere.tsv")


def test_both_sides_end_with_the_end_token(corpus):
    assert all(ids[-1] == END and END not in ids[:-1] for ids in (*corpus.sources, *corpus.targets))


def test_pairs_longer_than_the_model_reads_are_left_out_and_counted(corpus):
    longest = [
        max(len(source), len(target)) for source, target in zip(corpus.sources, corpus.targets, strict=True)
    ]
    limit = int(np.median(longest))
    short = encode_pairs(PAIRS, tiny_tokenizer(), limit)
    assert short.skipped == sum(length > limit for length in longest) > 0
    with pytest.raises(ValueError, match="longer than 2 pieces"):
        encode_pairs(PAIRS, tiny_tokenizer(), 2)


@pytest.mark.parametrize("epoch", [0, 1, 5])
def test_an_epoch_deals_every_pair_once_within_the_budget(corpus, epoch):
    batches = epoch_batches(corpus, TOKENS, seed=1, epoch=epoch)
    assert sorted(np.concatenate(batches).tolist()) == list(range(len(corpus)))
    for batch in batches:
        longest = max(max(len(corpus.sources[row]), len(corpus.targets[row])) for row in batch)
        assert longest * len(batch) <= TOKENS


def test_batches_waste_little_on_padding(corpus):
    padded = real = 0
    for batch in epoch_batches(corpus, TOKENS, seed=1, epoch=0):
        lengths = [len(corpus.targets[row]) for row in batch]
        padded, real = padded + max(lengths) * len(lengths), real + sum(lengths)
    assert padded / real < 1.15


def test_a_pair_longer_than_the_budget_is_a_batch_of_its_own(corpus):
    batches = epoch_batches(corpus, tokens=1, seed=1, epoch=0)
    assert {len(batch) for batch in batches} == {1}


def test_epochs_differ_and_seeds_differ(corpus):
    deal = lambda seed, epoch: [batch.tolist() for batch in epoch_batches(corpus, TOKENS, seed, epoch)]  # noqa: E731
    assert deal(1, 0) == deal(1, 0)
    assert deal(1, 0) != deal(1, 1)
    assert deal(1, 0) != deal(2, 0)


@pytest.mark.parametrize("step", [0, 1, 17, 100])
def test_going_on_deals_what_would_have_come_next(corpus, step):
    take = lambda start, count: [  # noqa: E731
        batch.tolist() for batch, _ in zip(batches_from(corpus, TOKENS, 1, start), range(count), strict=False)
    ]
    assert take(step, 5) == take(0, step + 5)[step:]


def test_a_file_of_pairs_makes_the_round_trip(tmp_path):
    assert read_pairs(write_pairs(tmp_path / "pairs.tsv")) == PAIRS


def test_dev_pairs_with_exchanged_columns_are_refused():
    exchanged = [(target, source) for source, target in PAIRS[:20]]
    with pytest.raises(ValueError, match="seem to be exchanged: 100% of the words of their sources"):
        refuse_exchanged(PAIRS, exchanged)
    refuse_exchanged(PAIRS, PAIRS[:20])
    refuse_exchanged(PAIRS, [("quite other words", "tout autre chose")])  # unknown, but not exchanged
    refuse_exchanged([("a b c", "a b c")], [("a b", "b a")])  # one language on both sides


def test_training_pairs_of_which_some_are_exchanged_are_refused():
    some = [
        (target, source) if place % 2 else (source, target) for place, (source, target) in enumerate(PAIRS)
    ]
    with pytest.raises(
        ValueError, match=f"exchanged in .* training pairs, first in {PAIRS[1][1][:9]!r}"[:-1]
    ):
        refuse_mixed(some, PAIRS[:20])
    refuse_mixed(PAIRS, PAIRS[:20])
    refuse_mixed([("b a", "a b"), ("c", "c")] * 20, [("a b", "b a"), ("c a", "a c")])  # letters to turn round
