"""One tiny model and one pair of sentences, for tests that look into a run or change it."""

from model.inspect.trace import Trace
from tests.helpers.tiny import PAIRS, tiny_tokenizer, tiny_translator

TEXT, TARGET = PAIRS[7]
tokenizer = tiny_tokenizer()
translator = tiny_translator(tokenizer, length=64)


def passed(trace: Trace) -> dict[str, bool | None]:
    return {check.name: check.passed for check in trace.checks}
