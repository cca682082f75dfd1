from collections import Counter
from itertools import pairwise

import pytest

from model import Translator
from model.atlas.relations import french_tallies
from model.probe import HAND, REASONS, french_text, gender, grammar
from model.probe.grammar import sentences
from model.probe.lexicon import (
    ANIMALS,
    COLOURS,
    OF_ANIMATES,
    OF_THINGS,
    PEOPLE,
    THINGS,
)
from model.text.treebank import Annotated, french_pieces, pieces_of_words, read
from viz.pages.atlas.numbers.exemplars import observed, probes

RELATIONS = """acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse
    dislocated expl fixed flat goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis punct
    reparandum root vocative xcomp"""
SUBTYPES = (
    """acl:relcl aux:pass cc:preconj compound:prt det:predet nmod:poss nsubj:pass obl:agent obl:unmarked"""
)
FRENCH_SUBTYPES = "acl:relcl aux:pass aux:tense expl:comp expl:subj nsubj:pass obl:agent"
VALID_FRENCH = {*RELATIONS.split(), *FRENCH_SUBTYPES.split()}
FRENCH_LEAVES = ("aux:pass", "aux:tense", "cc", "cop", "det", "expl:comp", "expl:subj", "fixed", "punct")
NEGATION = ("ne", "n'", "pas", "jamais")
VALID = {*RELATIONS.split(), *SUBTYPES.split()}
NOMINAL = {"NOUN", "PROPN", "PRON", "NUM"}
ALLOWED = {
    "det": {"DET"}, "punct": {"PUNCT"}, "aux": {"AUX"}, "cop": {"AUX"}, "cc": {"CCONJ"}, "nummod": {"NUM"},
    "amod": {"ADJ"}, "case": {"ADP", "PART"}, "mark": {"SCONJ", "PART"}, "advmod": {"ADV", "PART"},
    "nsubj": NOMINAL, "obj": NOMINAL,
}  # fmt: skip
PARTS_OF_SPEECH = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"
UPOS = set(PARTS_OF_SPEECH.split())
ASPIRATED = ("hautes", "hérisson", "huit")
ELIDING = ("le", "la", "de", "ne", "que", "je", "me", "te", "se")

HAND_MADE = list(read(HAND))
GENERATED = sentences()
BOTH = HAND_MADE + GENERATED
each_sentence = pytest.mark.parametrize("corpus", [HAND_MADE, GENERATED], ids=["hand", "grammar"])


def pronouns(corpus: list[Annotated]) -> list[tuple[Annotated, int, int]]:
    return [(each, *pair) for each in corpus for pair in each.antecedents.items()]


def translations(sentence: Annotated, word: int) -> list[str]:
    return [
        sentence.french_words[french]
        for english, french in sorted(sentence.alignment.sure)
        if english == word
    ]


def gendered(corpus: list[Annotated]) -> list[tuple[Annotated, int, int, str]]:
    """Pronouns that English gives no gender, and what French made of them."""
    return [(case.sentence, case.pronoun, case.antecedent, case.written) for case in gender.gendered(corpus)]


def test_there_are_as_many_sentences_as_promised():
    assert len(HAND_MADE) >= 120
    assert len(GENERATED) == 600
    assert sum(bool(each.alignment) for each in HAND_MADE) >= 60
    assert len({each.text for each in BOTH}) == len({each.id for each in BOTH}) == len(BOTH)


def test_every_sentence_is_there_for_a_reason():
    reasons = Counter(each.reason for each in HAND_MADE)
    assert set(reasons) == set(REASONS) and min(reasons.values()) >= 4
    assert {each.reason for each in GENERATED} <= set(REASONS)


@each_sentence
def test_trees_keep_to_universal_dependencies(corpus):
    for each in corpus:
        assert set(each.relations) <= VALID and set(each.upos) <= UPOS, each.text
        assert [head == -1 for head in each.heads] == [relation == "root" for relation in each.relations]
        assert sum(head == -1 for head in each.heads) == 1
        for word in range(len(each.words)):
            steps = 0
            while word != -1:
                word, steps = each.heads[word], steps + 1
                assert steps <= len(each.words), each.text


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


@each_sentence
def test_every_french_is_a_tree_of_known_relations(corpus):
    for each in corpus:
        heads, relations = each.french_heads, each.french_relations
        assert len(heads) == len(relations) == len(each.french_words), each.french
        assert set(relations) <= VALID_FRENCH, each.french
        assert [head == -1 for head in heads] == [relation == "root" for relation in relations]
        assert heads.count(-1) == 1, each.french
        for word in range(len(heads)):
            steps = 0
            while word != -1:
                word, steps = heads[word], steps + 1
                assert steps <= len(heads), each.french


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


@each_sentence
def test_texts_are_what_their_words_spell(corpus):
    for each in corpus:
        spelled = zip(each.words, each.spaces_after, strict=True)
        assert "".join(word + " " * space for word, space in spelled).strip() == each.text
        assert french_text(each.french_words) == each.french
        assert 4 <= sum(upos != "PUNCT" for upos in each.upos) <= 16, each.text


@each_sentence
def test_french_words_are_split_by_the_rule(corpus):
    for each in corpus:
        for word in each.french_words:
            assert word in (",", ".", "?") or not set(word) & set(" ,.;:?!"), word
            assert "'" not in word[:-1] or word == "aujourd'hui", word


@each_sentence
def test_french_elides_and_contracts(corpus):
    for each in corpus:
        for word, after in pairwise(each.french_words):
            vowel = after[0].lower() in "aeiouyéèêâîôœh" and after not in ASPIRATED
            assert not (vowel and word.lower() in ELIDING), each.french
            assert vowel or not word.endswith("'"), each.french
            assert (word.lower(), after) not in {("de", "le"), ("de", "les"), ("à", "le"), ("à", "les")}, (
                each.french
            )


@each_sentence
def test_links_stay_inside_the_sentence_and_full_stops_are_linked(corpus):
    for each in corpus:
        last = len(each.words) - 1, len(each.french_words) - 1
        links = each.alignment.sure | each.alignment.possible
        assert last in each.alignment.sure
        assert not each.alignment.sure & each.alignment.possible
        assert all(0 <= english <= last[0] and 0 <= french <= last[1] for english, french in links)
        assert {english for english, _ in links} == set(range(last[0] + 1)), each.text


@each_sentence
def test_pronouns_stand_for_nouns(corpus):
    for sentence, word, antecedent in pronouns(corpus):
        assert sentence.upos[word] == "PRON", sentence.text
        assert sentence.upos[antecedent] in ("NOUN", "PROPN", "PRON"), sentence.text
        assert antecedent < word


def test_there_are_enough_pronouns_and_french_decides_the_gender_of_many():
    assert len(pronouns(HAND_MADE)) >= 25
    decided = Counter(french for *_, french in gendered(HAND_MADE))
    assert sum(decided.values()) >= 12
    assert set(decided) == {"il", "elle", "ils", "elles"}
    assert min(Counter(french for *_, french in gendered(GENERATED)).values()) >= 4


def test_one_adjective_moves_the_antecedent_of_some_pronouns():
    """Minimal pairs: the same words up to the last, another antecedent, another French pronoun."""
    by_opening: dict[tuple[str, ...], set[tuple[int, str]]] = {}
    for sentence, _, antecedent, french in gendered(HAND_MADE):
        by_opening.setdefault(sentence.words[:-2], set()).add((antecedent, french))
    pairs = [choices for choices in by_opening.values() if len(choices) == 2]
    assert len(pairs) >= 4
    assert all(one[0] != other[0] and one[1] != other[1] for one, other in pairs)


def test_every_sentence_fits_the_model(translator: Translator):
    for each in BOTH:
        tokens = translator.read(each.text)
        assert len(tokens.ids) <= translator.config.length
        assert pieces_of_words(each, tokens), each.text
        assert french_pieces(each, translator.read(each.french)), each.french


def test_decoder_heads_are_asked_about_the_french_that_was_given(translator: Translator):
    (probe,) = probes(translator, HAND_MADE[:1])
    trace = translator.trace(HAND_MADE[0].text, HAND_MADE[0].french, keep=["attention"])
    pattern = trace.attention["decoder"].reshape(-1, *trace.attention["decoder"].shape[-2:])
    expected = french_tallies(
        pattern, HAND_MADE[0], french_pieces(HAND_MADE[0], translator.read(HAND_MADE[0].french))
    )
    found = observed(probe, "decoder", translator.config.vocabulary)
    assert expected["relation.case.to_dependent"].count == 3
    for name, tally in expected.items():
        assert (found[name].totals == tally.totals).all() and found[name].count == tally.count, name


def test_the_grammar_gives_the_same_sentences_for_the_same_seed():
    assert sentences() == GENERATED
    assert sentences(50) == GENERATED[:50]
    assert {each.text for each in sentences(50, seed=1)} != {each.text for each in sentences(50)}


def test_a_grammar_that_runs_dry_says_so(monkeypatch):
    monkeypatch.setattr(grammar, "TEMPLATES", (grammar.where,))
    with pytest.raises(ValueError, match="ran dry after .* of 1000 sentences"):
        sentences(1000)


def test_every_generated_article_agrees_with_its_noun():
    nouns = [(noun.french, noun.feminine, False) for noun in PEOPLE + ANIMALS + THINGS]
    nouns += [(noun.french_many, noun.feminine, True) for noun in PEOPLE + ANIMALS + THINGS]
    articles = {"le": (False, False), "la": (True, False), "du": (False, False)}
    known = {(form, *features) for form, *features in nouns}
    seen = 0
    for each in GENERATED:
        words = [word.lower() for word in each.french_words]
        for article, noun in pairwise(words):
            if article in articles:
                assert (noun, *articles[article]) in known, each.french
                seen += 1
            elif article in ("les", "des") and noun not in ("deux", "trois", "quatre", "cinq", "six", "sept",
                                                            "huit", "neuf", "dix", "vingt"):  # fmt: skip
                assert any(known_noun[0] == noun and known_noun[2] for known_noun in known), each.french
                seen += 1
    assert seen > len(GENERATED)


def test_every_generated_adjective_and_pronoun_agrees_with_what_it_describes():
    lexicon = {noun.one: noun for noun in PEOPLE + ANIMALS + THINGS}
    adjectives = {each.english: each for each in COLOURS + OF_THINGS + OF_ANIMATES}
    for each in GENERATED:
        for word, form in enumerate(each.words):
            if each.upos[word] != "ADJ":
                continue
            subject = _described(each, word)
            noun = lexicon[each.lemmas[subject]]
            joined = [lexicon[each.lemmas[other]] for other, head in enumerate(each.heads)
                      if head == subject and each.relations[other] == "conj"]  # fmt: skip
            feminine = all(one.feminine for one in (noun, *joined))
            plural = bool(joined) or each.words[subject] == noun.many
            assert translations(each, word) == [adjectives[form].agreeing(feminine, plural)], each.french
    for sentence, _, antecedent, french in gendered(GENERATED):
        assert french.startswith("elle") == lexicon[sentence.lemmas[antecedent]].feminine, sentence.french


def _described(sentence: Annotated, adjective: int) -> int:
    if sentence.relations[adjective] == "amod":
        return sentence.heads[adjective]
    subject = next(
        word
        for word, head in enumerate(sentence.heads)
        if head == adjective and sentence.relations[word] == "nsubj"
    )
    return sentence.antecedents.get(subject, subject)


def test_every_template_is_used_about_equally():
    reasons = Counter(each.reason for each in GENERATED)
    assert len(reasons) >= 8 and min(reasons.values()) >= 30
