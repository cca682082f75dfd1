"""A small grammar whose sentences come with their French, trees, antecedents and alignments.

All of it is right by construction: a template puts together phrases that carry both languages.
"""

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import cycle

from model.probe import lexicon
from model.probe.lexicon import ANIMALS, COLOURS, HANDLES, MEETS, OF_ANIMATES, OF_THINGS, PEOPLE, THINGS
from model.probe.phrases import Phrase, Said, Word, acts, annotated, being, forms_of_be, pronoun, the
from model.treebank import Annotated

PATIENCE = 1000


def sentences(count: int = 600, seed: int = 0) -> list[Annotated]:
    """Distinct sentences, from all templates in turn; the same ones for the same seed."""
    dice = random.Random(seed)
    found: dict[str, Annotated] = {}
    fruitless = 0  # turns since the last new sentence
    for template in cycle(TEMPLATES):
        if len(found) == count:
            break
        if fruitless > PATIENCE:
            raise ValueError(f"the grammar ran dry after {len(found)} of {count} sentences")
        sentence = template(dice)
        fruitless = fruitless + 1 if sentence.text in found else 0
        found.setdefault(sentence.text, sentence)
    return [replace(each, id=f"grammar-{index:03}") for index, each in enumerate(found.values(), 1)]


def order(dice: random.Random) -> Annotated:
    subject = the(dice.choice(PEOPLE), "nsubj", dice.random() < 0.5)
    thing = the(dice.choice(THINGS), "obj", dice.random() < 0.5, dice.choice(COLOURS))
    return annotated("order", acts(subject, dice.choice(HANDLES), thing))


def negation(dice: random.Random) -> Annotated:
    subject = the(dice.choice(PEOPLE), "nsubj", dice.random() < 0.5)
    verb, thing = dice.choice(MEETS), the(dice.choice(ANIMALS), "obj", dice.random() < 0.5)
    do, no = (
        Word("do" if subject.plural else "does", "do", "AUX", "aux"),
        Word("not", "not", "PART", "advmod"),
    )
    word = Word(verb.base, verb.base, "VERB", "root", [subject.word, do, no], [thing.word])
    said = Said(verb.french_many if subject.plural else verb.french, (word,), (do,))
    return annotated(
        "negation",
        Phrase(word, [*subject.french, Said("ne", (no,)), said, Said("pas", (no,)), *thing.french]),
    )


def relative(dice: random.Random) -> Annotated:
    """Who does it, or what it is done to."""
    if dice.random() < 0.5:
        about = the(dice.choice(PEOPLE), "nsubj", dice.random() < 0.5)
        who = Word("who", "who", "PRON", "nsubj")
        other = the(dice.choice(ANIMALS), "obj", dice.random() < 0.5)
        relating = Phrase(who, [Said("qui", (who,))], about.feminine, about.plural)
        clause = acts(relating, dice.choice(MEETS), other, "acl:relcl")
        said, adjective = clause.french, dice.choice(OF_ANIMATES)
    else:
        about = the(dice.choice(THINGS), "nsubj", dice.random() < 0.5)
        that = Word("that", "that", "PRON", "obj")
        other = the(dice.choice(PEOPLE), "nsubj", dice.random() < 0.5)
        clause = acts(other, dice.choice(HANDLES), Phrase(that, []), "acl:relcl")
        clause.word.before.insert(0, clause.word.after.pop())
        said, adjective = [Said("que", (that,)), *clause.french], dice.choice(OF_THINGS)
    about.word.after.append(clause.word)
    return annotated("relative", being(about._replace(french=about.french + said), adjective))


def question(dice: random.Random) -> Annotated:
    subject = the(dice.choice(PEOPLE), "nsubj", dice.random() < 0.5)
    thing = the(dice.choice(THINGS), "obj", dice.random() < 0.5)
    verb = dice.choice(HANDLES)
    asked = acts(subject, verb, thing)
    do = Word("do" if subject.plural else "does", "do", "AUX", "aux")
    asked.word.form = verb.base
    asked.word.before.insert(0, do)
    opening = [Said("est", (do,)), Said("-ce", (do,)), Said("que", (do,))]
    return annotated("question", asked._replace(french=opening + asked.french), "?")


def where(dice: random.Random) -> Annotated:
    thing = the(dice.choice(THINGS), "nsubj", dice.random() < 0.5, dice.choice(COLOURS))
    be = Word(forms_of_be(thing, False)[0], "be", "AUX", "cop")
    word = Word("where", "where", "ADV", "root", [], [be, thing.word])
    said = [Said("où", (word,)), Said(forms_of_be(thing, False)[1], (be,)), *thing.french]
    return annotated("question", Phrase(word, said), "?")


def coordination(dice: random.Random) -> Annotated:
    nouns = dice.sample(PEOPLE, 2)
    first, second = the(nouns[0], "nsubj"), the(nouns[1], "conj")
    both = Word("and", "and", "CCONJ", "cc")
    second.word.before.insert(0, both)
    first.word.after.append(second.word)
    said = [*first.french, Said("et", (both,)), *second.french]
    pair = Phrase(first.word, said, first.feminine and second.feminine, plural=True)
    return annotated("coordination", being(pair, dice.choice(OF_ANIMATES), past=dice.random() < 0.5))


def possessive(dice: random.Random) -> Annotated:
    owner, thing = (
        the(dice.choice(PEOPLE), "nmod:poss"),
        the(dice.choice(THINGS), "nsubj", dice.random() < 0.5),
    )
    of = Word("'s", "'s", "PART", "case")
    owner.word.after.append(of)
    thing.word.before[:] = [owner.word]
    article = thing.french[0]._replace(sure=(), possible=(thing.word,))
    said = [article, thing.french[1], Said("de", (of,)), *owner.french]
    return annotated("possessive", being(thing._replace(french=said), dice.choice(OF_THINGS)))


def own(dice: random.Random) -> Annotated:
    owner, noun = the(dice.choice(PEOPLE[:10]), "nsubj"), dice.choice(THINGS)
    thing, form = the(noun, "obj"), "her" if owner.feminine else "his"
    thing.word.before[:] = [Word(form, form, "PRON", "nmod:poss", antecedent=owner.word)]
    thing.french[0] = Said("sa" if noun.feminine else "son", (thing.word.before[0],))
    return annotated("possessive", acts(owner, dice.choice(HANDLES), thing))


def agreement(dice: random.Random) -> Annotated:
    """The noun nearest to the verb has the other number."""
    plural, nouns = dice.random() < 0.5, dice.sample(THINGS, 2)
    subject, other = the(nouns[0], "nsubj", plural), the(nouns[1], "nmod", not plural)
    near = Word("near", "near", "ADP", "case")
    other.word.before.insert(0, near)
    subject.word.after.append(other.word)
    said = [*subject.french, Said("près", (near,)), Said("de", (near,)), *other.french]
    return annotated("agreement", being(subject._replace(french=said), dice.choice(OF_THINGS)))


def because(dice: random.Random) -> Annotated:
    """What it is decides which of two nouns it stands for; they differ in gender, so French must choose."""
    plural = dice.random() < 0.5
    subject = the(dice.choice(PEOPLE if plural else ANIMALS), "nsubj", plural)
    other = [noun for noun in THINGS if noun.feminine != subject.feminine]
    thing, verb = the(dice.choice(other), "obj", plural), dice.choice(HANDLES if plural else HANDLES[:3])
    meant, adjectives = (subject, OF_ANIMATES) if dice.random() < 0.5 else (thing, OF_THINGS)
    reason = being(pronoun(meant), dice.choice(adjectives), "advcl", past=True)
    mark = Word("because", "because", "SCONJ", "mark")
    reason.word.before.insert(0, mark)
    did, no = Word("did", "do", "AUX", "aux"), Word("not", "not", "PART", "advmod")
    word = Word(verb.base, verb.base, "VERB", "root", [subject.word, did, no], [thing.word, reason.word])
    have = Said("ont" if plural else "a", (), (did, word))
    done = [Said("ne", (no,)), have, Said("pas", (no,)), Said(verb.french_participle.masculine, (word,))]
    why = [Said("parce", (mark,)), Said("que", (mark,)), *reason.french]
    return annotated("pronoun", Phrase(word, [*subject.french, *done, *thing.french, *why]))


def repeated(dice: random.Random) -> Annotated:
    (one, other), verb, plural = dice.sample(ANIMALS, 2), dice.choice(MEETS), dice.random() < 0.5
    first = acts(the(one, "nsubj", plural), verb, the(other, "obj", plural))
    second = acts(the(other, "nsubj", plural), verb, the(one, "obj", plural), "conj")
    comma, both = Word(",", ",", "PUNCT", "punct"), Word("and", "and", "CCONJ", "cc")
    second.word.before[:0] = [comma, both]
    first.word.after.append(second.word)
    said = [*first.french, Said(",", (comma,)), Said("et", (both,)), *second.french]
    return annotated("repeated", first._replace(french=said))


def number(dice: random.Random) -> Annotated:
    one, other = dice.sample(ANIMALS, 2)
    subject, thing = the(one, "nsubj", True), the(other, "obj", True)
    (few, quelques), (many, plusieurs) = dice.sample(lexicon.NUMBERS, 2)
    subject.word.before[:] = [Word(few, few, "NUM", "nummod")]
    subject.french[0] = Said(quelques, (subject.word.before[0],))
    thing.word.before.append(Word(many, many, "NUM", "nummod"))
    thing.french.insert(1, Said(plusieurs, (thing.word.before[1],)))
    return annotated("number", acts(subject, dice.choice(MEETS), thing))


def passive(dice: random.Random) -> Annotated:
    thing, agent = (
        the(dice.choice(THINGS), "nsubj:pass", dice.random() < 0.5),
        the(dice.choice(PEOPLE), "obl:agent"),
    )
    verb, by = dice.choice(HANDLES), Word("by", "by", "ADP", "case")
    agent.word.before.insert(0, by)
    be = Word(forms_of_be(thing, True)[0], "be", "AUX", "aux:pass")
    word = Word(verb.participle, verb.base, "VERB", "root", [thing.word, be], [agent.word])
    done = verb.french_participle.agreeing(thing.feminine, thing.plural)
    said = [Said("ont" if thing.plural else "a", (), (be,)), Said("été", (be,)), Said(done, (word,))]
    return annotated("passive", Phrase(word, [*thing.french, *said, Said("par", (by,)), *agent.french]))


TEMPLATES: tuple[Callable[[random.Random], Annotated], ...] = (
    order, negation, relative, question, where, coordination, possessive, own, agreement, because, because,
    repeated, number, passive,
)  # fmt: skip
