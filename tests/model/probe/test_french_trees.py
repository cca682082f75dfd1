"""French trees, by the rules that model/probe states."""

from collections import Counter

from model.probe.lexicon import ANIMALS, PEOPLE, THINGS
from tests.helpers.probes import GENERATED, RELATIONS, each_sentence, is_tree

FRENCH_SUBTYPES = "acl:relcl aux:pass aux:tense expl:comp expl:subj nsubj:pass obl:agent"
VALID_FRENCH = {*RELATIONS, *FRENCH_SUBTYPES.split()}
FRENCH_LEAVES = ("aux:pass", "aux:tense", "cc", "cop", "det", "expl:comp", "expl:subj", "fixed", "punct")
NEGATION = ("ne", "n'", "pas", "jamais")


@each_sentence
def test_every_french_is_a_tree_of_known_relations(corpus):
    for each in corpus:
        heads, relations = each.french_heads, each.french_relations
        assert len(heads) == len(relations) == len(each.french_words), each.french
        assert set(relations) <= VALID_FRENCH, each.french
        assert is_tree(heads, relations), each.french


@each_sentence
def test_no_two_french_dependencies_cross(corpus):
    for each in corpus:
        spans = [sorted(pair) for pair in enumerate(each.french_heads) if pair[1] >= 0]
        crossing = [(one, other) for one in spans for other in spans if one[0] < other[0] < one[1] < other[1]]
        assert not crossing, each.french


@each_sentence
def test_french_words_hang_where_their_relation_says(corpus):
    for each in corpus:
        words, heads, relations = each.french_words, each.french_heads, each.french_relations
        for word, (head, relation) in enumerate(zip(heads, relations, strict=True)):
            assert relation not in FRENCH_LEAVES or word not in heads, (each.french, words[word])
            if relation in ("det", "case", "cc", "cop", "mark", "nummod") or relation.startswith("aux"):
                assert head > word or (relation == "cop" and words[head] in ("Où", "qui")), each.french
            if relation in ("fixed", "conj", "acl", "acl:relcl", "nmod", "xcomp", "ccomp"):
                assert head < word or words[word] == "dont", each.french
            assert relation != "fixed" or relations[head] in ("case", "mark"), each.french
            assert words[word].lower() not in NEGATION or relation == "advmod", each.french
            assert (words[word] in (",", ".", "?")) == (relation == "punct"), each.french
            if relation == "aux:pass" and relations[head] != "xcomp":
                assert "nsubj:pass" in [r for r, h in zip(relations, heads, strict=True) if h == head]


@each_sentence
def test_every_french_predicate_has_at_most_one_subject_and_one_object(corpus):
    for each in corpus:
        found = Counter(
            (head, relation.split(":")[0])
            for head, relation in zip(each.french_heads, each.french_relations, strict=True)
            if relation.startswith(("nsubj", "obj", "iobj", "cop"))
        )
        assert not found or max(found.values()) == 1, each.french


@each_sentence
def test_linked_words_mostly_have_the_same_relation_in_both_languages(corpus):
    """Links and French trees were made apart, so that they agree speaks for both."""
    for relation in ("nsubj", "obj", "det", "root"):
        same = [
            each.french_relations[french] == relation
            for each in corpus
            for english, french in each.alignment.sure
            if each.relations[english] == relation
            and each.french_relations[french] not in ("case", "fixed")  # du and des are an article as well
        ]
        assert len(same) > 60 and sum(same) / len(same) > 0.8, relation


def test_in_generated_french_words_hang_on_the_noun_beside_them():
    nouns = {form for noun in PEOPLE + ANIMALS + THINGS for form in (noun.french, noun.french_many)}
    asked = Counter(relation for each in GENERATED for relation in each.french_relations)
    assert min(asked[relation] for relation in ("det", "nummod", "case", "amod", "acl:relcl", "nmod")) >= 30
    for each in GENERATED:
        words, heads, relations = each.french_words, each.french_heads, each.french_relations
        for word, (head, relation) in enumerate(zip(heads, relations, strict=True)):
            if relation in ("det", "nummod", "case"):
                assert words[head] in nouns, each.french
                assert set(relations[word + 1 : head]) <= {"det", "nummod", "fixed"}, each.french
            elif relation == "amod":
                assert head == word - 1 and words[head] in nouns, each.french
            elif relation in ("nmod", "obl:agent"):
                assert words[word] in nouns, each.french
            elif relation == "acl:relcl":
                assert words[head] in nouns and words[head + 1] in ("qui", "que", "qu'"), each.french
