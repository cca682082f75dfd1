from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.network.config import END
from model.text.spelling import SPACE, normalise
from model.text.tokenizer import Tokens
from model.text.treebank import (
    Alignment,
    Annotated,
    pieces_of_words,
    read,
    read_alignments,
    read_text,
)
from tests.helpers.tiny import tiny_tokenizer

tokenizer = tiny_tokenizer()

SENTENCE = """\
# sent_id = one
# text = The cat isn't here.
# text_fr = Le chat n'est pas là.
# words_fr = Le chat n' est pas là .
# heads_fr = 2 6 6 6 6 0 6
# relations_fr = det nsubj advmod cop advmod root punct
# reason = negation
# alignment = 0-0 1-1 2-3 3-2 3-4 4?5 5-6
1	The	the	DET	_	_	2	det	_	_
2	cat	cat	NOUN	_	_	5	nsubj	_	_
3-4	isn't	_	_	_	_	_	_	_	_
3	is	be	AUX	_	_	5	cop	_	_
4	n't	not	PART	_	_	5	advmod	_	_
4.1	right	right	ADV	_	_	_	_	5:advmod	_
5	here	here	ADV	_	_	0	root	_	SpaceAfter=No
6	.	.	PUNCT	_	_	5	punct	_	_
"""


def row(number=1, form="Hello", head="0", relation="root", misc="_") -> str:
    return "\t".join([str(number), form, form.lower(), "INTJ", "_", "_", str(head), relation, "_", misc])


def french(heads: str, relations: str) -> list[str]:
    return ["# words_fr = Bonjour toi", f"# heads_fr = {heads}", f"# relations_fr = {relations}"]


@pytest.fixture
def write(tmp_path):
    def save(content: str | bytes):
        path = tmp_path / "some.conllu"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return save


def annotated(words: list[str], text: str) -> Annotated:
    count = len(words)
    blank = ("_",) * count
    return Annotated(text, tuple(words), blank, blank, (-1,) * count, blank, (True,) * count)


def test_everything_about_a_sentence_is_read(write):
    (sentence,) = read(write(SENTENCE))
    assert sentence.id == "one" and sentence.reason == "negation"
    assert sentence.words == ("The", "cat", "is", "n't", "here", ".")
    assert sentence.lemmas[3] == "not" and sentence.upos[1] == "NOUN"
    assert sentence.heads == (1, 4, 4, 4, -1, 4)
    assert sentence.relations == ("det", "nsubj", "cop", "advmod", "root", "punct")
    assert sentence.french == "Le chat n'est pas là."
    assert sentence.french_words == ("Le", "chat", "n'", "est", "pas", "là", ".")
    assert sentence.french_heads == (1, 5, 5, 5, 5, -1, 5)
    assert sentence.french_relations == ("det", "nsubj", "advmod", "cop", "advmod", "root", "punct")
    assert sentence.alignment.sure == {(0, 0), (1, 1), (2, 3), (3, 2), (3, 4), (5, 6)}
    assert sentence.alignment.possible == {(4, 5)}


def test_a_sentence_without_a_french_tree_has_none(write):
    (sentence,) = read(write("# words_fr = Salut\n" + row()))
    assert sentence.french_heads is None and sentence.french_relations is None


def test_a_range_tells_where_spaces_are_and_an_empty_node_is_no_word(write):
    (sentence,) = read(write(SENTENCE))
    assert sentence.spaces_after == (True, True, False, True, False, True)
    (bare,) = read(write("\n".join(line for line in SENTENCE.splitlines() if "text =" not in line)))
    assert bare.text == sentence.text == "The cat isn't here."


@pytest.mark.parametrize("end", ["", "\n", "\n\n\n"])
def test_line_ends_of_every_kind_give_the_same_sentences(write, end):
    two = SENTENCE + "\n" + SENTENCE.rstrip("\n") + end
    plain = list(read(write(two)))
    assert len(plain) == 2
    assert list(read(write(two.replace("\n", "\r\n")))) == plain
    assert list(read(write("\ufeff" + two))) == plain


def test_sentences_come_one_at_a_time(write):
    sentences = read(write(SENTENCE + "\n" + "nonsense\n"))
    assert next(sentences).id == "one"
    with pytest.raises(ValueError, match="line 18"):
        next(sentences)


def test_a_pronoun_names_its_antecedent(write):
    lines = [row(1, "Cats", 2, "nsubj"), row(2, "say"), row(3, "they", 4, "nsubj", "Antecedent=1|X=y"),
             row(4, "sleep", 2, "ccomp")]  # fmt: skip
    (sentence,) = read(write("\n".join(lines)))
    assert sentence.antecedents == {2: 0}


@pytest.mark.parametrize(
    ("lines", "line", "complaint"),
    [
        (["1 Hello"], 1, "1 columns"),
        ([row() + "\t_"], 1, "11 columns"),
        ([row().replace("hello", "")], 1, "column 3 is empty"),
        ([row(number="one")], 1, "'one' is not the number"),
        ([row(number=0)], 1, "'0' is not the number"),
        ([row(), row(3, head=1)], 2, "word 3 stands where word 2"),
        ([row(), row(2, head="_")], 2, "the head is '_'"),
        ([row(), row(2, head="-1")], 2, "the head is '-1'"),
        ([row(), row(2, head=7)], 2, "the head is 7, but the sentence has 2 words"),
        ([row(), row(2)], 1, "2 roots"),
        ([row(head=2), row(2, head=1)], 1, "0 roots"),
        ([row(), row(2, head=3), row(3, head=2)], 2, "in a circle"),
        ([row(), row(2, head=2)], 2, "in a circle"),
        ([row(), row("4-5")], 2, "range 4-5"),
        ([row("1-3"), row()], 2, "range ends at word 3"),
        ([row(misc="Antecedent=4")], 1, "antecedent is '4'"),
        (["# text = alone"], 1, "without words"),
        (["# alignment = 0-0", row()], 1, "without the French words"),
        (["# words_fr = Salut", "# alignment = 0-0 0=1", row()], 2, "'0=1' is not a link"),
        (["# words_fr = Salut", "# alignment = 0-1", row()], 2, "0-1 leaves"),
        ([*french("0", "root")[1:], row()], 1, "without the French words"),
        ([*french("0 1", "root obj")[:2], row()], 2, "heads_fr alone"),
        ([*french("0 1", "root obj")[::2], row()], 2, "relations_fr alone"),
        ([*french("0 1 1", "root obj"), row()], 2, "heads_fr has 3 entries for 2 words"),
        ([*french("0 1", "root"), row()], 3, "relations_fr has 1 entries for 2 words"),
        ([*french("0 -1", "root obj"), row()], 2, "the head is '-1'"),
        ([*french("0 0", "root root"), row()], 2, "2 roots"),
        ([*french("0 3", "root obj"), row()], 2, "the head is 3, but the sentence has 2 words"),
        ([*french("0 2", "root obj"), row()], 2, "word 2 run in a circle"),
    ],
)
def test_a_malformed_line_is_refused_with_its_number(write, lines, line, complaint):
    path = write("\n".join([row(), "", *lines, ""]))
    with pytest.raises(ValueError) as refusal:
        list(read(path))
    message = str(refusal.value)
    assert f"{path}, line {line + 2}: " in message and complaint in message
    assert "\n" not in message


def test_bytes_that_are_no_text_are_refused(write):
    with pytest.raises(ValueError, match="line 2: not UTF-8"):
        list(read(write(row().encode() + b"\n\xff\n")))


@pytest.mark.parametrize("reader", [read, read_text])
@pytest.mark.parametrize("content", ["", "\n\n", "\r\n"])
def test_a_file_without_a_sentence_is_refused(write, reader, content):
    with pytest.raises(ValueError, match="holds no sentence"):
        list(reader(write(content)))


@pytest.mark.parametrize("reader", [read, read_text, read_alignments])
def test_a_file_that_is_not_there_is_refused(tmp_path, reader):
    with pytest.raises(ValueError, match="cannot read .*none: No such file"):
        list(reader(tmp_path / "none"))


def test_plain_text_is_one_sentence_a_line(write):
    assert list(read_text(write("One  line.\r\n\n L’autre.\n"))) == ["One line.", "L'autre."]


def test_alignments_are_one_sentence_a_line(write):
    first, second, third = read_alignments(write("0-0 1?2\r\n\n2-1 2?1\n"))
    assert first == Alignment(frozenset({(0, 0)}), frozenset({(1, 2)}))
    assert second == Alignment(frozenset(), frozenset())
    assert third == Alignment(frozenset({(2, 1)}), frozenset())


@pytest.mark.parametrize("link", ["1", "1-", "a-b", "1-2-3", "-1-2", "²-1", "1 - 2"])
def test_a_malformed_link_is_refused_with_its_line(write, link):
    with pytest.raises(ValueError, match=r"line 2: .* is not a link"):
        list(read_alignments(write(f"0-0\n0-0 {link}\n")))


WORDS = st.lists(
    st.text(st.characters(codec="utf-8"), min_size=1, max_size=6).map(normalise).filter(bool)
    | st.sampled_from(["did", "n't", ".", "'s", "été", "—", "안녕", "<0x41>", "</s>", "🙂"]),
    min_size=1,
    max_size=8,
)


@given(WORDS, st.data())
def test_the_pieces_of_all_words_are_all_pieces_in_order(words, data):
    spaces = data.draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words)))
    text = "".join(word + " " * space for word, space in zip(words, spaces, strict=True))
    try:
        tokens = tokenizer.encode(text)
    except ValueError:
        return
    pieces = pieces_of_words(annotated(words, text), tokens)
    if pieces is None:
        return
    assert len(pieces) == len(words) and all(pieces)
    assert [piece for word in pieces for piece in word] == list(range(len(tokens.ids) - 1))


@given(WORDS)
def test_words_between_spaces_are_spelled_by_exactly_their_pieces(words):
    try:
        tokens = tokenizer.encode(" ".join(words))
    except ValueError:
        return
    words = normalise(" ".join(words)).split(" ")
    pieces = pieces_of_words(annotated(words, " ".join(words)), tokens)
    assert [tokenizer.decode([tokens.ids[p] for p in word]).strip() for word in pieces] == words


def made_of(*pieces: str) -> Tokens:
    words = [count - 1 for count in accumulate(piece.startswith(SPACE) for piece in pieces)]
    return Tokens((*range(300, 300 + len(pieces)), END), (*pieces, "</s>"), (*words, -1))


def test_a_piece_belongs_to_the_word_in_which_it_begins():
    sentence = annotated(["did", "n't", "—", "go"], "didn't — go")
    tokens = made_of("▁didn", "'", "t", "▁", "<0xE2>", "<0x80>", "<0x94>", "▁go")
    assert pieces_of_words(sentence, tokens) == [[0], [1, 2], [3, 4, 5, 6], [7]]


@pytest.mark.parametrize(
    ("words", "pieces"),
    [
        (["can", "not"], ["▁cannot"]),  # no piece begins with the second word
        (["de", "le", "pain"], ["▁du", "▁pain"]),  # the words spell something else
        (["a", "b"], ["▁a", "▁c"]),
        (["a", "b"], ["▁a"]),
    ],
)
def test_words_and_pieces_that_do_not_fit_are_reported(words, pieces):
    assert pieces_of_words(annotated(words, " ".join(words)), made_of(*pieces)) is None
