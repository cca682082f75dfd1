"""Another model is chosen where the model is named; visitors with different models see their own."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from model import Translator, load
from tests.helpers.browser import PHONE, expect_in_link, expect_weights, korean, say, settle, translation
from tests.helpers.paths import ROOT
from tests.helpers.server import running
from tests.helpers.tiny import SENTENCES, write_checkpoint
from viz.text import Say

TEXT = SENTENCES[0]
LINK = f"/?page=look&s={TEXT}&kind=cross&layer=1&head=2".replace(" ", "+")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("further")


@pytest.fixture(scope="module")
def one(folder) -> Translator:
    return write_checkpoint(folder / "one", 1)


@pytest.fixture(scope="module")
def app_url(folder, one) -> Iterator[str]:
    """A server that was given a folder of further models."""
    with running(ROOT / "viz/serve.py", ROOT, HEADLIGHT_CHECKPOINTS=str(folder)) as url:
        yield url


def take(page: Page, name: str, speak: Say = say) -> None:
    page.locator(".st-key-about button").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("combobox", name=speak("model.choose")).click()
    page.get_by_role("option", name=f"{name}:").click()
    expect(dialog).to_have_count(0)
    settle(page)


def expect_model(page: Page, translator: Translator, layer: int = 1, head: int = 2) -> None:
    trace = translator.trace(TEXT)
    expect(page.locator(".st-key-about button").first).to_contain_text(translator.name)
    expect(translation(page)).to_have_text(trace.translation.text)
    expect_weights(page, trace.attention["cross"][layer, head], off=1e-4)


def test_a_model_is_chosen_kept_in_the_link_and_left_again(open_app, one):
    usual = load("en-fr")
    page = open_app(LINK)
    expect_model(page, usual)
    take(page, "one")
    expect_model(page, one)
    expect_in_link(page, "model=one")
    page.reload()
    expect_model(page, one)
    page.go_back()
    settle(page)
    expect_model(page, usual)
    page.go_forward()
    settle(page)
    expect_model(page, one)
    take(page, "en-fr")
    expect_model(page, usual)
    assert "model=" not in page.url


def test_two_visitors_with_different_models_see_their_own(open_app, one):
    usual = load("en-fr")
    first, second = open_app(LINK + "&model=one", **PHONE), open_app(LINK)
    for _ in range(2):
        expect_model(first, one)
        expect_model(second, usual)
        for page in (first, second):
            page.locator(".st-key-sentence input").fill("The teacher sees an apple.")
            page.locator(".st-key-sentence input").press("Enter")
        for page in (first, second):
            settle(page)
            page.locator(".st-key-sentence input").fill(TEXT)
            page.locator(".st-key-sentence input").press("Enter")
            settle(page)
    expect_model(first, one)
    expect_model(second, usual)


def test_a_link_to_an_unknown_model_says_so_and_keeps_what_was_typed(open_app):
    page = open_app(LINK + "&model=../one&lang=ko", locale="ko-KR")
    expect(page.get_by_text(korean("link.no_model", name="../one", shown="en-fr"))).to_be_visible()
    expect(page.locator(".st-key-sentence input")).to_have_value(TEXT)
    expect_model(page, load("en-fr"))
