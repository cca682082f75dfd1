"""Inside: how does this number come about?"""

from dataclasses import dataclass

from viz.state.choices import Choices, one_of
from viz.state.page import Page

WAY = ("input", "project", "product", "scale", "mask", "softmax", "mix", "output", "add")
QUESTIONS = ("why", "rows")  # about the way from the stream back to the stream


@dataclass(frozen=True)
class Inside(Choices):
    step: str = one_of(*WAY, *QUESTIONS, usual="product")
    guess: str = one_of("off", "on")  # whether the next number is hidden until somebody has guessed it
    key_width: int = one_of(*(2**power for power in range(10)), usual=32)  # d_k of the question `why`


PAGE = Page("inside", Inside, steps="step", heads=True, always_steps=True)
