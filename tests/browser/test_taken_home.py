"""What is taken home, in a browser: a picture as PNG, and a page that works from a file."""

import struct

import pytest
from playwright.sync_api import expect

from tests.helpers.pictures import say, some, told
from viz.export import standalone
from viz.state.picture import Picture


def test_a_picture_is_saved_as_png_of_twice_its_size(open_app):
    page = open_app("/?kind=encoder&layer=1&head=1")
    page.locator(".st-key-export button").click()
    button = page.locator(".st-key-png_heatmap button")
    expect(button).to_have_text("PNG")
    with page.expect_download() as saving:
        button.click()
    data = saving.value.path().read_bytes()
    assert saving.value.suggested_filename.endswith(".png") and data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    assert width > 600 and height > 600 and width % 2 == height % 2 == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_saved_page_works_from_a_file(browser, tmp_path, scheme):
    shown = some(12, 12, causal=True)
    hostile = "</script><script>document.title = 'broken'</script>"
    labels = (hostile, *shown.queries[1:])
    risky = Picture(**{**vars(shown), "queries": labels, "keys": labels})
    file = tmp_path / "page.html"
    text = {"title": "As typed", "sentence": hostile, "translation": hostile, "explanation": hostile}
    file.write_text(standalone.page(risky, say, layer=1, row=2, **text), "utf-8")
    context = browser.new_context(color_scheme=scheme)
    page, problems = context.new_page(), []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda line: problems.append(line.text))
    page.on("request", lambda asked: asked.url == file.as_uri() or problems.append(asked.url))
    page.goto(file.as_uri())
    seen = page.locator("#view .status")
    expect(seen).to_have_text(told(2, int(risky.combined[2].argmax()), risky))
    page.locator("#view .left .word").nth(4).hover()
    expect(seen).to_have_text(told(4, int(risky.combined[4].argmax()), risky))
    box = page.locator(f".heatmap .{scheme} .cells path").last.bounding_box()
    rows, columns = risky.combined.shape
    page.mouse.move(box["x"] + box["width"] * 1.5 / columns, box["y"] + box["height"] * 3.5 / rows)
    expect(seen).to_have_text(told(3, 1, risky))
    page.mouse.click(box["x"] + box["width"] * 1.5 / columns, box["y"] + box["height"] * 3.5 / rows)
    page.mouse.move(2, 2)
    expect(seen).to_have_text(told(3, 1, risky))
    assert page.title() == "As typed" and not problems
    context.close()
