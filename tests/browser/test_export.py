"""What is taken home from a page holds the numbers that were on screen, and opens on its own."""

import io
import json

import numpy as np
from playwright.sync_api import expect

from tests.helpers.browser import open_export, save

SENTENCE = "My sister bought a red car."


def test_what_is_exported_holds_what_was_on_screen(open_page, open_file, translator, tmp_path):
    page = open_page(s=SENTENCE, kind="cross", layer=1, head=2)
    pattern = translator.trace(SENTENCE).attention["cross"][1, 2]
    dialog = open_export(page)

    def saved(label: str, place: int = 0) -> bytes:
        return save(dialog, label, tmp_path, place).read_bytes()

    rows = saved("CSV").decode("utf-8-sig").splitlines()[1:]
    numbers = np.array([[float(cell) for cell in row.split(",")[-pattern.shape[1] :]] for row in rows])
    np.testing.assert_allclose(numbers, pattern, atol=1e-5)
    np.testing.assert_allclose(json.loads(saved("JSON"))["combined"], pattern, atol=1e-5)
    with np.load(io.BytesIO(saved("NPZ")), allow_pickle=False) as file:
        np.testing.assert_allclose(file["combined"], pattern, atol=1e-5)
    for place in (0, 1):
        svg = saved("SVG", place).decode()
        assert svg.startswith("<svg") or svg.startswith("<?xml")
        assert "<image" not in svg
        assert saved("PNG", place).startswith(b"\x89PNG")
    alone = open_file(save(dialog, "HTML", tmp_path))
    expect(alone.get_by_text(SENTENCE).first).to_be_visible()
    expect(alone.locator("body")).to_contain_text(f"{pattern.max():.3f}")


def test_a_panel_of_drawings_is_a_page_that_opens_without_a_network(open_page, open_file, tmp_path):
    page = open_page("layers", layers="norm", s=SENTENCE, lang="ko")
    dialog = open_export(page)
    rows = save(dialog, "CSV", tmp_path).read_text("utf-8-sig").splitlines()
    assert any(row.startswith("stack,decoder") for row in rows)
    alone = open_file(save(dialog, "HTML", tmp_path))
    expect(alone.get_by_text(SENTENCE).first).to_be_visible()
    drawn = alone.locator(".light svg")
    expect(drawn).to_have_count(3)  # the architecture, and two of the panel
    assert alone.locator("html").get_attribute("lang") == "ko"
    assert drawn.locator("title").count() > 10  # pointed at, its parts say their numbers
    expect(alone.locator(".dark svg").first).to_be_hidden()
