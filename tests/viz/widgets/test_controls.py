"""Heads are chosen one at a time, or several where that is wanted, and never none."""

from tests.helpers.app import choose


def test_a_click_moves_on_to_another_head_unless_several_are_wanted(app):
    choose(app, head=[3])
    choose(app, head=[3, 5])
    assert app.segmented_control(key="head").value == [5]
    app.toggle(key="several").set_value(True).run()
    choose(app, head=[5, 1])
    assert sorted(app.segmented_control(key="head").value) == [1, 5]
    app.toggle(key="several").set_value(False).run()
    assert len(app.segmented_control(key="head").value) == 1


def test_the_last_head_cannot_be_taken_away(app):
    choose(app, head=[3])
    choose(app, head=[])
    assert app.segmented_control(key="head").value == [3]
