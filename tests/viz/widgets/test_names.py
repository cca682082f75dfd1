"""Every measure and every head has a name that readers can tell from the others."""

from viz.state import atlas as atlases
from viz.text import translate
from viz.widgets.names import head_name, name_of


def test_every_measure_and_every_head_has_a_name(monkeypatch, atlas):
    monkeypatch.setattr("viz.widgets.names.say", translate("en"))
    names = [name_of(name) for name in atlases.names(atlas)]
    assert len(set(names)) == len(names)
    assert head_name("cross", 0, 3) == "cross 1.4"
