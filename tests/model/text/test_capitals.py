"""What is typed in capitals only is read in small letters where the vocabulary would spell it out."""

import pytest

from model.text.capitals import calmed


def test_shouting_is_read_as_the_same_sentence_said_calmly(translator):
    for shouted, calm in (
        ("WHERE ARE YOU GOING?", "Where are you going?"),
        ("I THINK I'M LATE.", "I think I'm late."),
        ("COME IN.  SIT DOWN!", "Come in. Sit down!"),
    ):
        assert translator.calm(shouted) == calm
        assert translator.translate(shouted) == translator.translate(calm)
        assert translator.trace(shouted).source == translator.read(calm)
        assert translator.score([(shouted, "Oui.")]) == translator.score([(calm, "Oui.")])


@pytest.mark.parametrize("text", ["USA", "OK!", "A B C D", "I", "The USA is large.", "12:30", "안녕하세요"])
def test_other_texts_are_read_as_they_are_typed(translator, text):
    assert translator.calm(text) == text


def test_a_translation_is_taken_to_the_letter(translator):
    """It is what somebody says: scored and replayed as it stands."""
    loud, calm = (
        translator.trace("Yes.", target).target.predicted for target in ("OUI MON AMI.", "Oui mon ami.")
    )
    assert loud != calm


def test_reading_twice_changes_nothing(translator):
    for text in ("WHAT TIME IS IT?", "«OUI», DIT-IL. NON!"):
        once = calmed(text, translator.tokenizer, "en")
        assert calmed(once, translator.tokenizer, "en") == once != text
