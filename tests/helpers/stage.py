"""A view of ours alone on a page, without Streamlit: its modules as they stand in the folder."""

import base64
import json
from urllib.parse import urlparse

from playwright.sync_api import Browser, Page, Route

from viz.components import source
from viz.export.standalone import variables
from viz.figures.palette import THEMES

ORIGIN = "http://views.test"  # answered from our own files: no network is asked
MOUNT = """async ([module, data, bytes]) => {
  const view = (await import(module)).default;
  const given = bytes ? Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0)) : data;
  view({ data: given, parentElement: document.getElementById("view").shadowRoot, setTriggerValue() {} });
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""


def stage(browser: Browser, theme: str, style: str, markup: str) -> Page:
    """An empty page in the colours of a theme, with a place for one view."""
    place = f'<div id="view"><template shadowrootmode="open"><style>{style}</style>{markup}</template></div>'
    look = f"<style>:root {{ {variables(THEMES[theme])} }} body {{ width: 800px; }}</style>"
    constants = "".join(
        f"export const {name} = {json.dumps(value)};" for name, value in source.CONSTANTS.items()
    )

    def answer(route: Route) -> None:
        path = urlparse(route.request.url).path.removeprefix("/")
        if path.endswith(".js"):
            text = constants if path == "constants.js" else (source.BROWSER / path).read_text("utf-8")
            route.fulfill(body=text, content_type="text/javascript")
        else:
            route.fulfill(body=f"<!doctype html>{look}{place}", content_type="text/html")

    page = browser.new_page()
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.problems = problems = []
    page.route(f"{ORIGIN}/**", answer)
    page.goto(f"{ORIGIN}/")
    return page


def mount(page: Page, module: str, data: object) -> None:
    """Draw; bytes travel as Base64, because the browser's protocol is text."""
    packed = isinstance(data, bytes)
    given = base64.b64encode(data).decode() if packed else data
    page.evaluate(MOUNT, [f"{ORIGIN}/{module}", given, packed])
    assert not page.problems
