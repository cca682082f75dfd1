"""An example in a docstring is a claim: each one is run, wherever it stands."""

import doctest
import importlib

import pytest

from tests.helpers.paths import ROOT

WITH_EXAMPLES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for files in ("*.py", "model/**/*.py", "viz/**/*.py")
    for path in sorted(ROOT.glob(files))
    if ">>> " in path.read_text("utf-8")
]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_examples_are_true(name):
    failed, tried = doctest.testmod(importlib.import_module(name))
    assert tried and not failed
