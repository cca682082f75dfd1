"""What each of the five wrote, drawn: long translations are broken, and nothing is lost."""

from model.rivals import RIVALS
from viz.pages.why.figures.length.written import Written, broken, written
from viz.text import translate

say = translate("en")


def test_a_long_translation_is_broken_and_what_has_no_room_is_in_its_tip():
    words = " ".join(f"mot{place}" for place in range(200))
    rows = [Written(name, words if name == "recurrent" else "", -0.5, 40.0) for name in RIVALS]
    drawn = written(rows, "transformer", say)
    for sheet in (drawn, drawn.narrow):
        marks = {mark["name"]: mark for mark in sheet.marks if "name" in mark}
        assert marks["recurrent.line.3"]["text"].endswith("…") and "recurrent.line.4" not in marks
        assert words in marks["row.recurrent"]["tip"]
        assert marks["additive.line.0"]["text"] == say("why.length.nothing")
        assert [name for name in RIVALS if marks[f"row.{name}"]["on"]] == ["transformer"]
    assert broken("one two three four", 60, 9) == ["one two", "three", "four"]
