"""Ask your own in a real browser: a question by link, the ranking, bad input, rows kept and measured."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from model.inspect.variants import all_heads
from model.probe.contrasts import read_phenomenon
from tests.helpers.asked import plain_lead, usual_question
from tests.helpers.browser import (
    PHONE,
    act_until_visible,
    choose,
    expect_in_link,
    expect_no_scrolling_sideways,
    korean,
    open_export,
    say,
    settle,
    until,
    write,
)
from tests.helpers.drawn import marks, said
from viz.pages.atlas.numbers import asking
from viz.state.session import EXAMPLE

HEADS, VERDICT = ".st-key-ask_heads svg", ".st-key-ask_verdict"
NOUNS = ("shirt", "coat", "house", "book", "table", "car")


@pytest.fixture(scope="module")
def place(translator) -> int:
    return asking.opening(translator.trace(EXAMPLE), translator.tokenizer)


@pytest.fixture(scope="module")
def question(translator, place):
    return usual_question(translator, EXAMPLE, place)


def type_into(page: Page, key: str, text: str) -> None:
    box = page.locator(f".st-key-{key} input")
    box.fill(text)
    box.press("Enter")
    settle(page)


def upload(page: Page, file) -> None:
    chooser = page.locator(".st-key-own_file input[type=file]")
    if not chooser.count():
        act_until_visible(
            lambda: page.locator(".st-key-own_open button").first.click(), page.locator(".st-key-own_file")
        )
    chooser.set_input_files(file)
    settle(page)


def test_the_runner_up_is_proposed_and_the_ranking_is_the_models(open_page, translator, question, place):
    page = open_page("atlas", until=HEADS, chart="ask")
    texts = [asking.text_of(translator.tokenizer, word, say) for word in question.words]
    for side, text in zip(("right", "wrong"), texts, strict=True):
        expect(page.locator(f".st-key-ask_{side} input")).to_have_value(text)
    expect_in_link(
        page, f"place={place}", f"right_piece={question.right[0]}", f"wrong_piece={question.wrong[0]}"
    )
    heads, found = all_heads(translator.config), asking.rank_heads(translator, question)
    best = [heads[n] for n in found.order[:12]]
    shown = said(page, "ask_heads")
    assert list(shown) == [".".join(map(str, head)) for head in best]
    np.testing.assert_allclose(list(shown.values()), found.lost[found.order[:12]], rtol=1e-3, atol=1e-4)
    lead = plain_lead(translator, question)
    without = plain_lead(translator, question, [best[0].silenced])
    np.testing.assert_allclose(next(iter(shown.values())), lead - without, rtol=1e-3, atol=1e-4)
    expect(page.locator(VERDICT)).to_contain_text(f"{lead - without:.1f}")
    expect(page.locator(VERDICT)).to_contain_text(say("ask.warning"))
    page.locator(f'.st-key-ask_heads [data-name="{".".join(map(str, best[1]))}"]').click()
    settle(page)
    expect_in_link(page, f"kind={best[1].kind}", f"layer={best[1].layer}", f"head={best[1].head}")


def test_a_link_opens_the_same_verdict_and_its_head_is_switched_off(open_page, translator):
    tokenizer = translator.tokenizer
    pieces = {f"{side}_piece": asking.spell(tokenizer, word, False)[0]
              for side, word in (("right", "la"), ("wrong", "le"))}  # fmt: skip
    written = translator.trace(EXAMPLE).target.predicted_ids
    place = written.index(pieces["right_piece"])
    asked = asking.Question(
        EXAMPLE, translator.trace(EXAMPLE).source.ids, written[:place],
        (pieces["right_piece"],), (pieces["wrong_piece"],),
    )  # fmt: skip
    page = open_page("atlas", until=HEADS, chart="ask", place=place, **pieces)
    found = asking.rank_heads(translator, asked)
    best = all_heads(translator.config)[found.order[0]]
    verdict = page.locator(VERDICT).inner_text()
    assert "“la”" in verdict and "“le”" in verdict
    assert f"{best.layer + 1}·{best.head + 1}" in verdict and f"{found.lead:.1f}" in verdict
    if best.kind != "encoder":
        weights = translator.trace(EXAMPLE).attention[best.kind][best.layer, best.head, place]
        np.testing.assert_allclose(next(iter(said(page, "ask_looks").values())), weights.max(), rtol=1e-3)
    page.locator(".st-key-ask_off button").click()
    expect(page.get_by_role("heading", name=say("experiment.title"))).to_be_visible()
    settle(page)
    after = translator.translate(EXAMPLE, [best.silenced]).text
    until(page, lambda: same_letters(page.locator(".ink.after").inner_text(), after))


def same_letters(shown: str, text: str) -> None:
    assert re.sub(r"\s", "", shown) == re.sub(r"\s", "", text)


def test_typed_nonsense_keeps_picture_and_text(open_page, translator, question):
    page = open_page("atlas", until=HEADS, chart="ask")
    before, verdict = marks(page, "ask_heads"), page.locator(VERDICT).inner_text()
    right = page.locator(".st-key-ask_right input").input_value()
    for text, told in (("", say("ask.blank")), (right, say("ask.same", piece="§").split("§")[0])):
        type_into(page, "ask_wrong", text)
        expect(page.locator(".st-key-panel").get_by_role("alert")).to_contain_text(told)
        expect(page.locator(".st-key-ask_wrong input")).to_have_value(text)
        assert marks(page, "ask_heads") == before and page.locator(VERDICT).inner_text() == verdict
    type_into(page, "ask_wrong", "zxqj")
    typed = asking.spell(translator.tokenizer, "zxqj", False)
    expect_in_link(page, f"wrong_piece={typed[0]}")
    expect(page.locator(VERDICT)).to_contain_text("zxqj")
    dialog = open_export(page)
    expect(dialog).to_contain_text(say("export.ask_heads"))


def test_rows_are_kept_saved_and_measured(open_page, translator, tmp_path):
    page = open_page("atlas", until=HEADS, chart="ask")
    expect(page.locator(".st-key-own_measure button")).to_be_disabled()
    texts = [f"The boy didn't buy the {noun} because it was too small." for noun in NOUNS]
    for count, text in enumerate(texts, 1):
        write(page, text)
        expect(page.locator(".st-key-translation .ink")).to_have_text(translator.translate(text).text)
        settle(page)
        page.locator(".st-key-ask_keep button").click()
        expect(page.locator(".st-key-panel table tr")).to_have_count(count + 1)
        settle(page)
    with page.expect_download() as waiting:
        page.locator(".st-key-own_save button").click()
    file = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(file)
    assert [row.sentence for row in read_phenomenon(file).contrasts] == texts
    page.locator(".st-key-own_measure button").click()
    expect(page.locator(".st-key-own_heads svg")).to_be_visible(timeout=180_000)
    settle(page)
    told = page.locator(".st-key-own_told").inner_text()
    assert re.search(rf"\b\d of {len(texts)} rows count", told) and say("own.few", **dict.fromkeys(
        ("least", "chosen", "reported"), "§")).split("§")[0] in told  # fmt: skip
    choose(page, "chart", say("chart.matrix"))
    assert any("my_question" in str(mark.get("text")) for mark in marks(page, "matrix"))


def test_a_bad_file_is_refused_by_its_line_and_a_good_one_added(open_page, tmp_path):
    page = open_page("atlas", until=HEADS, chart="ask")
    bad, good = tmp_path / "bad.tsv", tmp_path / "good.tsv"
    bad.write_text("# asks: which?\nThe dog sleeps.\tLe chien dort.\n", "utf-8")
    good.write_text("The dog sleeps.\tLe chien\tLa\n", "utf-8")
    page.locator(".st-key-ask_keep button").click()
    expect(page.locator(".st-key-panel table tr")).to_have_count(2)
    upload(page, bad)
    expect(page.get_by_text(say("own.refused"))).to_be_visible()
    expect(page.get_by_text(re.compile(r"bad\.tsv, line 2"))).to_be_visible()
    expect(page.locator(".st-key-panel table tr")).to_have_count(2)
    upload(page, good)
    expect(page.locator(".st-key-panel table tr")).to_have_count(3)
    expect(page.get_by_text(say("own.refused"))).to_be_hidden()


def test_a_bad_file_is_refused_in_korean_words(open_page, tmp_path):
    page, bad = open_page("atlas", until=HEADS, chart="ask", lang="ko"), tmp_path / "bad.tsv"
    bad.write_text("The dog sleeps.\tLe chien dort.\n", "utf-8")
    upload(page, bad)
    expect(page.get_by_text(korean("own.refused"))).to_be_visible()
    where = korean("refused.at.line", file="bad.tsv", number=1)
    expect(page.get_by_text(f"{where}: {korean('refused.row', found=2)}")).to_be_visible()


def test_in_korean_on_a_telephone(open_page):
    page = open_page("atlas", until=HEADS, screen=PHONE, chart="ask")
    expect(page.locator(VERDICT)).to_contain_text(korean("ask.warning"))
    page.locator(".st-key-ask_keep button").click()
    expect(page.locator(".st-key-panel table tr")).to_have_count(2)
    type_into(page, "ask_wrong", "")
    expect(page.get_by_text(korean("ask.blank"))).to_be_visible()
    expect_no_scrolling_sideways(page)
    told = page.locator(".st-key-panel").inner_text().replace(EXAMPLE, "")
    assert not re.search(r"\b(the|heads?|row|lead|without|nats|upload|file)\b", told, re.IGNORECASE), told
