"""Headlight's model: the Transformer of "Attention Is All You Need", and all that it shows.

from model import load
translator = load("en-fr")
translator.translate("Good morning!").text
"""

from model import edits
from model.hooks import watch
from model.trace import Trace
from model.translator import Translator, load

__all__ = ["Trace", "Translator", "edits", "load", "watch"]
