"""A question of one's own answered the slow way: two runs that are made to write either word."""

from collections.abc import Sequence

from model import Translator
from model.inspect.edits import Edit
from viz.pages.atlas.numbers.asking import Question, complete, runner_up


def plain_lead(translator: Translator, question: Question, edits: Sequence[Edit] = ()) -> float:
    """log p(right) - log p(wrong) where they part."""
    right, wrong = (
        translator.trace(question.sentence, (*question.before, word[0]), edits, keep=("attention",)).log_probs
        for word in question.words
    )
    return float(right[-1] - wrong[-1])


def usual_question(translator: Translator, sentence: str, place: int) -> Question:
    """What the model wrote at this place, and its own runner-up."""
    trace = translator.trace(sentence)
    written = trace.target.predicted_ids
    pieces = written[place], runner_up(trace, place, written[place])
    right, wrong = (complete(translator, trace.source.ids, written[:place], piece) for piece in pieces)
    return Question(sentence, trace.source.ids, written[:place], right, wrong)
