"""Headlight's model: the Transformer of "Attention Is All You Need", and all that it shows.

from model import load
translator = load("en-fr")
translator.translate("Good morning!").text
"""

from model.inspect import edits
from model.inspect.trace import Trace
from model.network.hooks import watch
from model.translator import Translator, load

__all__ = ["Trace", "Translator", "edits", "load", "watch"]
