"""What stands beside the code says what the code says."""

import re
import tomllib

import pytest

from tests.helpers.paths import ROOT
from viz.command import main
from viz.installed import home

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
(TORCH,) = (each for each in PROJECT["dependencies"] if each.startswith("torch"))


@pytest.mark.parametrize("name", ["Dockerfile", "requirements.txt"])
def test_one_torch_is_asked_for_everywhere(name):
    assert re.findall(r"torch==[\d.]+", (ROOT / name).read_text("utf-8")) == [TORCH]


def test_the_citation_has_the_version_and_the_licence():
    cited = dict(re.findall(r"^(version|license): (.+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.M))
    assert cited == {"version": PROJECT["version"], "license": PROJECT["license"]}


def test_in_a_checkout_the_app_is_its_own():
    assert home() == ROOT


def test_a_bad_port_is_refused_before_anything_is_loaded(capsys):
    with pytest.raises(SystemExit):
        main(["--port", "abc"])
    assert "'abc' is no port" in capsys.readouterr().err
