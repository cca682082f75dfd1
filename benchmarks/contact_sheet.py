"""Every page and panel as it looks: on three screens, in both colour schemes and both languages.

    python -m benchmarks.contact_sheet [--out FOLDER] [--only look,inside] [--screens phone]
                                       [--schemes light] [--languages en] [--whole]

A picture of each, a montage a page and screen, and `index.html` with all of them. Which pages and panels
there are is read off their declarations, so a new one is on the sheet by itself. All of it takes a quarter
of an hour on two cores, one screen in one scheme and language two minutes.

Each option names what is wanted, separated by commas; without it, all. `--whole` takes the page down to
its end and marks where the first screen ends.
"""

import argparse
import tempfile
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page

from benchmarks.measured import PATIENCE
from tests.helpers.app import PAGES
from tests.helpers.paths import ROOT
from tests.helpers.server import chromium, running
from viz.pages import load
from viz.state.page import Page as Declared
from viz.text import LANGUAGES

QUIET = 250  # milliseconds in which nothing on the page changes, after which it is looked at
SCHEMES = ("light", "dark")
STYLE = """
body { background: #777; color: #fff; font: 14px system-ui, sans-serif; margin: 12px; }
section { display: grid; gap: 8px; width: max-content; }
h2 { margin: 20px 0 4px; } figure { margin: 0; } figcaption { padding: 2px 0; }
.shot { overflow: hidden; position: relative; } .shot img { display: block; width: 100%; }
.fold { border-top: 2px dashed #f0f; left: 0; position: absolute; right: 0; }
"""
# Long tables and pictures grow with the screen: ask twice how long the page is.
LENGTH = "document.querySelector('[data-testid=stMain]').scrollHeight"
STILL = """quiet => new Promise(done => {
  const app = document.querySelector("[data-testid=stApp]");
  let timer;
  const seen = () => { clearTimeout(timer); timer = setTimeout(end, quiet); };
  const watcher = new MutationObserver(seen);
  const end = () => {
    const coming = document.querySelector("[data-testid=stSkeleton]"); // a widget whose code is on its way
    if (coming || app.dataset.testScriptState !== "notRunning") return seen();
    watcher.disconnect();
    done();
  };
  watcher.observe(document, { subtree: true, childList: true, attributes: true });
  seen();
})"""


class Screen(NamedTuple):
    """A screen as wide and high as this; `link` is what a visitor with such a screen asks for."""

    width: int
    height: int
    thumbnail: int  # pixels across on the sheet
    link: dict[str, str]


SCREENS = {
    "wide": Screen(1440, 900, 480, {}),
    "projector": Screen(1920, 1080, 480, {"present": "on"}),
    "phone": Screen(390, 844, 240, {}),
}


class Shot(NamedTuple):
    """One picture of one panel."""

    page: str
    panel: str
    screen: str
    scheme: str
    language: str

    @property
    def file(self) -> str:
        return f"{'-'.join(self)}.png"


def panels(page: Declared) -> dict[str, dict[str, str]]:
    """The panels of a page with the links that lead to them: what its keys step through.

    Where keys step through what all pages share, as heads, the page's own first choice makes panels.
    """
    choices = page.choices
    own = [name for name in choices.names() if choices.options(name)]
    field = page.steps if page.steps in own else next(iter(own), None)
    if field is None:
        return {"whole": {}}
    usual = choices()
    return {str(each): choices(**{field: each}).to_link(usual) for each in choices.options(field)}


def main() -> None:
    options = _options()
    folder = Path(options.out or tempfile.mkdtemp(prefix="contact-sheet-"))
    folder.mkdir(parents=True, exist_ok=True)
    declared = {name: page for name, page in load(*PAGES).items() if name in options.only}
    shots: list[Shot] = []
    with running(ROOT / "app.py") as url, chromium() as browser:
        for name, screen in ((name, screen) for name in declared for screen in options.screens):
            made = list(_take(browser, url, declared[name], screen, folder, options))
            shots += made
            _montage(browser, made, folder, options.whole)
            print(f"{name} on the {screen}: {len(made)} pictures", flush=True)
    (folder / "index.html").write_text(_sheet(shots, folder, options.whole), "utf-8")
    print(folder / "index.html")


def _options() -> argparse.Namespace:
    def some(of: tuple[str, ...]) -> dict:
        def read(text: str) -> list[str]:
            asked = text.split(",")
            if unknown := sorted(set(asked) - set(of)):
                raise argparse.ArgumentTypeError(f"{', '.join(unknown)}: there are {', '.join(of)}")
            return asked

        return {"type": read, "default": list(of)}

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", help="a folder; without it, a temporary one")
    parser.add_argument("--only", **some(tuple(PAGES)), help="pages")
    parser.add_argument("--screens", **some(tuple(SCREENS)), help=", ".join(SCREENS))
    parser.add_argument("--schemes", **some(SCHEMES), help=", ".join(SCHEMES))
    parser.add_argument("--languages", **some(LANGUAGES), help=", ".join(LANGUAGES))
    parser.add_argument("--whole", action="store_true", help="down to the end of the page")
    return parser.parse_args()


def _take(
    browser: Browser, url: str, declared: Declared, name: str, folder: Path, options: argparse.Namespace
) -> Iterator[Shot]:
    """Pictures of all panels of a page on one screen, in every scheme and language."""
    screen = SCREENS[name]
    context = browser.new_context(locale="en-US", reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(PATIENCE * 1e3)
    for panel, link in panels(declared).items():
        for scheme in options.schemes:
            page.emulate_media(color_scheme=scheme)
            for language in options.languages:
                shot = Shot(declared.name, panel, name, scheme, language)
                page.set_viewport_size({"width": screen.width, "height": screen.height})
                asked = {"page": declared.name, "lang": language, **screen.link, **link}
                page.goto(f"{url}/?{urlencode(asked)}")
                _photograph(page, screen, folder / shot.file, options.whole)
                yield shot
    context.close()


def _photograph(page: Page, screen: Screen, file: Path, whole: bool) -> None:
    page.locator(".st-key-panel, .st-key-export, [data-testid=stException]").first.wait_for(state="attached")
    page.evaluate(STILL, QUIET)
    if whole:
        for _ in range(2):
            length = max(screen.height, page.evaluate(LENGTH))
            page.set_viewport_size({"width": screen.width, "height": length})
            page.evaluate(STILL, QUIET)
    page.screenshot(path=file)


def _montage(browser: Browser, shots: list[Shot], folder: Path, whole: bool) -> None:
    """All pictures of a page on one screen as one picture."""
    page = browser.new_page()
    sheet = folder / "montage.html"
    sheet.write_text(_sheet(shots, folder, whole), "utf-8")
    page.goto(sheet.as_uri())
    page.locator("section").screenshot(path=folder / f"montage-{shots[0].page}-{shots[0].screen}.png")
    page.close()
    sheet.unlink()


def _sheet(shots: list[Shot], folder: Path, whole: bool) -> str:
    """A row a panel; its schemes and languages side by side."""
    sections = []
    for group in dict.fromkeys((shot.page, shot.screen) for shot in shots):
        here = [shot for shot in shots if (shot.page, shot.screen) == group]
        wide = SCREENS[group[1]].thumbnail
        beside = len({(shot.scheme, shot.language) for shot in here})
        columns = f"grid-template-columns: repeat({beside}, {wide}px)"
        figures = "".join(_figure(shot, whole) for shot in here)
        title = escape(" · ".join(group))
        sections.append(f'<h2>{title}</h2><section style="{columns}">{figures}</section>')
    return f'<!doctype html><meta charset="utf-8"><style>{STYLE}</style>{"".join(sections)}'


def _figure(shot: Shot, whole: bool) -> str:
    screen = SCREENS[shot.screen]
    fold = screen.height / screen.width * screen.thumbnail
    line = f'<div class="fold" style="top: {fold:.0f}px"></div>' if whole else ""
    words = escape(f"{shot.panel} · {shot.scheme} · {shot.language}")
    picture = f'<a href="{shot.file}"><img loading="eager" src="{shot.file}" alt="{words}"></a>'
    return f'<figure><div class="shot">{picture}{line}</div><figcaption>{words}</figcaption></figure>'


if __name__ == "__main__":
    main()
