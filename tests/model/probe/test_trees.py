"""English trees, by the rules of Universal Dependencies."""

from tests.helpers.probes import RELATIONS, each_sentence, is_tree

SUBTYPES = (
    """acl:relcl aux:pass cc:preconj compound:prt det:predet nmod:poss nsubj:pass obl:agent obl:unmarked"""
)
VALID = {*RELATIONS, *SUBTYPES.split()}
NOMINAL = {"NOUN", "PROPN", "PRON", "NUM"}
ALLOWED = {
    "det": {"DET"}, "punct": {"PUNCT"}, "aux": {"AUX"}, "cop": {"AUX"}, "cc": {"CCONJ"}, "nummod": {"NUM"},
    "amod": {"ADJ"}, "case": {"ADP", "PART"}, "mark": {"SCONJ", "PART"}, "advmod": {"ADV", "PART"},
    "nsubj": NOMINAL, "obj": NOMINAL,
}  # fmt: skip
PARTS_OF_SPEECH = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"
UPOS = set(PARTS_OF_SPEECH.split())


@each_sentence
def test_trees_keep_to_universal_dependencies(corpus):
    for each in corpus:
        assert set(each.relations) <= VALID and set(each.upos) <= UPOS, each.text
        assert is_tree(each.heads, each.relations), each.text


@each_sentence
def test_words_do_what_their_relation_says(corpus):
    for each in corpus:
        for upos, relation in zip(each.upos, each.relations, strict=True):
            assert upos in ALLOWED.get(relation.split(":")[0], UPOS), (each.text, upos, relation)
        for word, head in enumerate(each.heads):
            leaf = each.relations[word] in ("det", "aux", "cop", "case", "mark", "punct", "cc", "aux:pass")
            assert not leaf or word not in each.heads, each.text
            if each.relations[word] == "aux:pass":
                assert "nsubj:pass" in [
                    r for r, h in zip(each.relations, each.heads, strict=True) if h == head
                ]
