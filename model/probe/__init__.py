"""Our own annotated sentences: `hand.conllu`, written and annotated by hand, and those of a small grammar.

Each sentence of `hand.conllu` is there for one of `REASONS`. `model.text.treebank` says how the file is
read and how French is split into words. Its alignments keep to these rules:

    the participle of a compound past is sure, its auxiliary only possible (`left` – `partie`, `?` `est`),
    unless English has an auxiliary too (`have` – `ont`);
    both halves of a French negation are sure (`not` – `ne`, `pas`);
    an English `do` is possible with the French verb;
    a contraction is sure with both its parts (`of`, `the` – `du`);
    an article, a preposition or a reflexive that only French has is possible with the word it belongs to.

The French trees follow Universal Dependencies as French treebanks do; where these differ, these rules:

    du, au and des are one word each, with the relation of the preposition in them (`case`: les clés du
    placard), or of the article that they are (`det`: du pain, des olives; so does the de of pas de lait);
    of words that work as one preposition or conjunction the first depends on the rest of the sentence, and
    the others depend on it as `fixed`
    (près de, le long de, parce que, il y a longtemps); est-ce que does too, and its est is a `mark`;
    ne, pas, plus, jamais are each `advmod` of the predicate; ni is `cc`;
    être is `cop` with an adjective, a noun, a place or a state (est fermé, sont sur la table), `aux:pass`
    in a passive, `aux:tense` like avoir in a compound tense; pouvoir, devoir, laisser have an `xcomp`;
    a clitic depends on its own verb: `obj`, `iobj` (dative), `obl` (en), `expl:comp` (a reflexive, and the y
    of il y a), but a reflexive beside an object is `iobj` (elle s'est blessé la main);
    a pronoun after its verb is `nsubj`, but `expl:subj` if a noun is the subject (le bébé pleure-t-il);
    an impersonal il is `expl:subj`, and what there is or has to be is `obj`;
    what has a preposition, or tells a time, depends on a verb or an adjective as `obl`, the doer of a passive
    as `obl:agent`; a preposition before an infinitive is a `mark`;
    a quantity heads what it counts (beaucoup, combien, plus, six, each with an `nmod`);
    mon, chaque and tout are `det`; que before what something is compared with is `case`.

`visitors.txt` and `robust.txt` are read by people, not by a program: what visitors type first, and the same
in capitals, without full stops or apostrophes, with digits, dates, prices, names, titles, and long.
"""

from pathlib import Path

HAND = Path(__file__).parent / "hand.conllu"
REASONS = (
    "agreement", "relative", "negation", "question", "coordination", "rare", "repeated", "pronoun", "passive",
    "tense", "number", "possessive", "order",
)  # fmt: skip
