"""A small grammar whose sentences come with their French, trees, antecedents and alignments.

All of it is right by construction: a template puts together phrases that carry both languages.
"""

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import cycle

from model.probe import lexicon
from model.probe.lexicon import (
    ANIMALS,
    COLOURS,
    HANDLES,
    MEETS,
    OF_ANIMATES,
    OF_THINGS,
    PEOPLE,
    THINGS,
)
from model.probe.phrases import (
    Phrase,
    Said,
    Word,
    acts,
    annotated,
    being,
    fixed,
    pronoun,
    the,
    under,
)
from model.text.french import BE
from model.text.treebank import Annotated

PATIENCE = 1000


def sentences(count: int = 600, seed: int = 0) -> list[Annotated]:
    """Distinct sentences, from all templates in turn; the same ones for the same seed."""
    rng = random.Random(seed)
    found: dict[str, Annotated] = {}
    fruitless = 0  # templates tried since the last new sentence
    for template in cycle(TEMPLATES):
        if len(found) == count:
            break
        if fruitless > PATIENCE:
            raise ValueError(f"the grammar ran dry after {len(found)} of {count} sentences")
        sentence = template(rng)
        fruitless = fruitless + 1 if sentence.text in found else 0
        found.setdefault(sentence.text, sentence)
    return [replace(each, id=f"grammar-{index:03}") for index, each in enumerate(found.values(), 1)]


def order(rng: random.Random) -> Annotated:
    subject = the(rng.choice(PEOPLE), "nsubj", rng.random() < 0.5)
    thing = the(rng.choice(THINGS), "obj", rng.random() < 0.5, rng.choice(COLOURS))
    return annotated("order", acts(subject, rng.choice(HANDLES), thing))


def negation(rng: random.Random) -> Annotated:
    subject = the(rng.choice(PEOPLE), "nsubj", rng.random() < 0.5)
    verb, thing = rng.choice(MEETS), the(rng.choice(ANIMALS), "obj", rng.random() < 0.5)
    do, no = (
        Word("do" if subject.plural else "does", "do", "AUX", "aux"),
        Word("not", "not", "PART", "advmod"),
    )
    word = Word(verb.base, verb.base, "VERB", "root", [subject.word, do, no], [thing.word])
    said = Said(verb.french_many if subject.plural else verb.french, "root", (word,), (do,))
    denied = [Said("ne", "advmod", (no,)), said, Said("pas", "advmod", (no,))]
    return annotated("negation", Phrase(word, under(said, [*subject.french, *denied, *thing.french])))


def relative(rng: random.Random) -> Annotated:
    """Who does it, or what it is done to."""
    if rng.random() < 0.5:
        about = the(rng.choice(PEOPLE), "nsubj", rng.random() < 0.5)
        who = Word("who", "who", "PRON", "nsubj")
        other = the(rng.choice(ANIMALS), "obj", rng.random() < 0.5)
        relating = Phrase(who, [Said("qui", "nsubj", (who,))], about.feminine, about.plural)
        clause = acts(relating, rng.choice(MEETS), other, "acl:relcl")
        adjective = rng.choice(OF_ANIMATES)
    else:
        about = the(rng.choice(THINGS), "nsubj", rng.random() < 0.5)
        that = Word("that", "that", "PRON", "obj")
        other = the(rng.choice(PEOPLE), "nsubj", rng.random() < 0.5)
        clause = acts(other, rng.choice(HANDLES), Phrase(that, [Said("que", "obj", (that,))]), "acl:relcl")
        clause.word.before.insert(0, clause.word.after.pop())
        clause.french.insert(0, clause.french.pop())
        adjective = rng.choice(OF_THINGS)
    about.word.after.append(clause.word)
    said = under(about.said, about.french + clause.french)
    return annotated("relative", being(about._replace(french=said), adjective))


def question(rng: random.Random) -> Annotated:
    subject = the(rng.choice(PEOPLE), "nsubj", rng.random() < 0.5)
    thing = the(rng.choice(THINGS), "obj", rng.random() < 0.5)
    verb = rng.choice(HANDLES)
    asked = acts(subject, verb, thing)
    do = Word("do" if subject.plural else "does", "do", "AUX", "aux")
    asked.word.form = verb.base
    asked.word.before.insert(0, do)
    opening = fixed(Said("est", "mark", (do,)), Said("-ce", "fixed", (do,)), Said("que", "fixed", (do,)))
    said = under(asked.said, opening + asked.french)
    return annotated("question", asked._replace(french=said), "?")


def where(rng: random.Random) -> Annotated:
    thing = the(rng.choice(THINGS), "nsubj", rng.random() < 0.5, rng.choice(COLOURS))
    english, french = BE[thing.plural, False]
    be = Word(english, "be", "AUX", "cop")
    word = Word("where", "where", "ADV", "root", [], [be, thing.word])
    said = Said("où", "root", (word,))
    return annotated(
        "question", Phrase(word, under(said, [said, Said(french, "cop", (be,)), *thing.french])), "?"
    )


def coordination(rng: random.Random) -> Annotated:
    nouns = rng.sample(PEOPLE, 2)
    first, second = the(nouns[0], "nsubj"), the(nouns[1], "conj")
    both = Word("and", "and", "CCONJ", "cc")
    second.word.before.insert(0, both)
    first.word.after.append(second.word)
    other = under(second.said, [Said("et", "cc", (both,)), *second.french])
    said = under(first.said, first.french + other)
    pair = Phrase(first.word, said, first.feminine and second.feminine, plural=True)
    return annotated("coordination", being(pair, rng.choice(OF_ANIMATES), past=rng.random() < 0.5))


def possessive(rng: random.Random) -> Annotated:
    owner, thing = (
        the(rng.choice(PEOPLE), "nmod:poss"),
        the(rng.choice(THINGS), "nsubj", rng.random() < 0.5),
    )
    of = Word("'s", "'s", "PART", "case")
    owner.word.after.append(of)
    thing.word.before[:] = [owner.word]
    thing.french[0] = replace(thing.french[0], sure=(), possible=(thing.word,))
    owner.said.relation = "nmod"
    whose = under(owner.said, [Said("de", "case", (of,)), *owner.french])
    said = under(thing.said, thing.french + whose)
    return annotated("possessive", being(thing._replace(french=said), rng.choice(OF_THINGS)))


def own(rng: random.Random) -> Annotated:
    owner, noun = the(rng.choice(PEOPLE[:10]), "nsubj"), rng.choice(THINGS)
    thing, form = the(noun, "obj"), "her" if owner.feminine else "his"
    thing.word.before[:] = [Word(form, form, "PRON", "nmod:poss", antecedent=owner.word)]
    son = "sa" if noun.feminine else "son"
    thing.french[0] = replace(thing.french[0], form=son, sure=(thing.word.before[0],))
    return annotated("possessive", acts(owner, rng.choice(HANDLES), thing))


def agreement(rng: random.Random) -> Annotated:
    """The noun nearest to the verb has the other number."""
    plural, nouns = rng.random() < 0.5, rng.sample(THINGS, 2)
    subject, other = the(nouns[0], "nsubj", plural), the(nouns[1], "nmod", not plural)
    near = Word("near", "near", "ADP", "case")
    other.word.before.insert(0, near)
    subject.word.after.append(other.word)
    beside = fixed(Said("près", "case", (near,)), Said("de", "fixed", (near,)))
    said = under(subject.said, subject.french + under(other.said, beside + other.french))
    return annotated("agreement", being(subject._replace(french=said), rng.choice(OF_THINGS)))


def because(rng: random.Random) -> Annotated:
    """What it is decides which of two nouns it stands for; they differ in gender, so French must choose."""
    plural = rng.random() < 0.5
    subject = the(rng.choice(PEOPLE if plural else ANIMALS), "nsubj", plural)
    other = [noun for noun in THINGS if noun.feminine != subject.feminine]
    thing, verb = the(rng.choice(other), "obj", plural), rng.choice(HANDLES if plural else HANDLES[:3])
    meant, adjectives = (subject, OF_ANIMATES) if rng.random() < 0.5 else (thing, OF_THINGS)
    reason = being(pronoun(meant), rng.choice(adjectives), "advcl", past=True)
    mark = Word("because", "because", "SCONJ", "mark")
    reason.word.before.insert(0, mark)
    did, no = Word("did", "do", "AUX", "aux"), Word("not", "not", "PART", "advmod")
    word = Word(verb.base, verb.base, "VERB", "root", [subject.word, did, no], [thing.word, reason.word])
    have = Said("ont" if plural else "a", "aux:tense", (), (did, word))
    done = Said(verb.french_participle.masculine, "root", (word,))
    denied = [Said("ne", "advmod", (no,)), have, Said("pas", "advmod", (no,)), done]
    parce_que = fixed(Said("parce", "mark", (mark,)), Said("que", "fixed", (mark,)))
    why = under(reason.said, parce_que + reason.french)
    return annotated("pronoun", Phrase(word, under(done, [*subject.french, *denied, *thing.french, *why])))


def repeated(rng: random.Random) -> Annotated:
    (one, other), verb, plural = rng.sample(ANIMALS, 2), rng.choice(MEETS), rng.random() < 0.5
    first = acts(the(one, "nsubj", plural), verb, the(other, "obj", plural))
    second = acts(the(other, "nsubj", plural), verb, the(one, "obj", plural), "conj")
    comma, both = Word(",", ",", "PUNCT", "punct"), Word("and", "and", "CCONJ", "cc")
    second.word.before[:0] = [comma, both]
    first.word.after.append(second.word)
    then = under(second.said, [Said(",", "punct", (comma,)), Said("et", "cc", (both,)), *second.french])
    return annotated("repeated", first._replace(french=under(first.said, first.french + then)))


def number(rng: random.Random) -> Annotated:
    one, other = rng.sample(ANIMALS, 2)
    subject, thing = the(one, "nsubj", True), the(other, "obj", True)
    (few, quelques), (many, plusieurs) = rng.sample(lexicon.NUMBERS, 2)
    subject.word.before[:] = [Word(few, few, "NUM", "nummod")]
    subject.french[0] = replace(
        subject.french[0], form=quelques, relation="nummod", sure=(subject.word.before[0],)
    )
    thing.word.before.append(Word(many, many, "NUM", "nummod"))
    thing.french.insert(1, Said(plusieurs, "nummod", (thing.word.before[1],), head=thing.said))
    return annotated("number", acts(subject, rng.choice(MEETS), thing))


def passive(rng: random.Random) -> Annotated:
    thing, agent = (
        the(rng.choice(THINGS), "nsubj:pass", rng.random() < 0.5),
        the(rng.choice(PEOPLE), "obl:agent"),
    )
    verb, by = rng.choice(HANDLES), Word("by", "by", "ADP", "case")
    agent.word.before.insert(0, by)
    be = Word(BE[thing.plural, True][0], "be", "AUX", "aux:pass")
    word = Word(verb.participle, verb.base, "VERB", "root", [thing.word, be], [agent.word])
    done = Said(verb.french_participle.agreeing(thing.feminine, thing.plural), "root", (word,))
    have = Said("ont" if thing.plural else "a", "aux:tense", (), (be,))
    whom = under(agent.said, [Said("par", "case", (by,)), *agent.french])
    said = under(done, [*thing.french, have, Said("été", "aux:pass", (be,)), done, *whom])
    return annotated("passive", Phrase(word, said))


TEMPLATES: tuple[Callable[[random.Random], Annotated], ...] = (
    order, negation, relative, question, where, coordination, possessive, own, agreement, because, because,
    repeated, number, passive,
)  # fmt: skip
