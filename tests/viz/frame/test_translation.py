"""The translation stands above every page, with what was checked about it."""

from tests.helpers.app import translation, unfold
from viz.state.session import EXAMPLE
from viz.text import translate


def test_the_page_opens_on_a_translated_sentence(app, translator):
    assert app.text_input(key="sentence").value == EXAMPLE
    assert translation(app) == translator.translate(EXAMPLE).text


def test_the_badge_says_what_was_checked(app, translator):
    say = translate("en")
    unfold(app, "checks")
    said = [each.value for each in app.markdown]
    for check in translator.trace(EXAMPLE).checks:
        assert check.passed
        assert f"✓ {say(f'check.{check.name}')}" in said
