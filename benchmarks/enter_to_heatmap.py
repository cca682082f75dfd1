"""From Enter to the new heatmap, in Chromium: Look beside a bare Streamlit page with the same figure.

    python -m benchmarks.enter_to_heatmap [--rounds 20]

Look gets a new sentence of about 20 pieces each time, so it translates, runs and draws. The bare page
has one text box and alternates between two figures that are ready: what Streamlit and Plotly cost by
themselves. They take turns; each time is from the key to the painted figure, by the page's own clock.
The model alone takes its turn as well. Then what travels for another head and for All heads.
"""

import shutil
import statistics
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Page

from benchmarks.browser import new_page, paint_after, press_enter, watching
from benchmarks.measured import PATIENCE, sentence
from benchmarks.options import ask
from model import Translator
from tests.helpers.paths import ROOT
from tests.helpers.server import chromium, running
from viz.figures.heatmap import attention_heatmap
from viz.state.picture import picture
from viz.state.selection import Selection
from viz.text import translate

VIEW = Selection(kind="cross", layer=3, head=(0,))
LINK = {"kind": "cross", "layer": "3", "head": "0"}
BARE = """
from pathlib import Path

import plotly.io
import streamlit as st


@st.cache_resource
def figures():
    return {path.stem: plotly.io.from_json(path.read_text()) for path in Path().glob("*.json")}


st.plotly_chart(figures()[st.text_input("Sentence", "first", key="sentence")], key="heatmap")
"""
SENTENCES = [
    "The old man at the station told us that the last train had already left.",
    "My sister bought three apples, two oranges and a large bottle of milk yesterday.",
    "When it stopped raining, the children ran outside and played in the wet grass.",
    "I do not know why he never answers the telephone in the evening any more.",
    "Our teacher asked us to write a short letter to someone we had not seen lately.",
    "The black dog slept under the table while the family was eating dinner together.",
    "We should leave early tomorrow because the road to the mountains is very long.",
    "She opened the window, looked at the street and waved to her friend below.",
    "There is a small shop behind the church where they sell bread and good cheese.",
    "He has been learning to play the piano since he was only seven years old.",
    "If you come to our house on Friday, we can cook something good together.",
    "The doctor said that my father must drink more water and walk every single day.",
    "Nobody in the village could remember such a cold and windy winter before this one.",
    "They painted the door green, but the neighbours would have preferred a darker colour.",
    "Before going to bed, she always reads a few pages of a book about the sea.",
    "The boy lost his new red hat on the bus and cried all the way home.",
    "I would like a cup of coffee and a piece of that cake, please, if possible.",
    "Because the lift was broken, we carried the heavy table up to the fifth floor.",
    "Her grandmother still writes long letters by hand and sends them in blue envelopes.",
    "The market opens at six in the morning, so the farmers get up very early.",
    "You can see the whole city and the river from the top of that hill over there.",
    "After the film we talked for an hour about the woman who had lost her memory.",
    "My bicycle is older than yours, but it is still faster on a flat road today.",
]
HEADS = ".st-key-head button"
WARM = 3  # sentences that do not count

# Streamlit puts a new Plotly chart into the page for every change, and our map counts its paintings; two
# animation frames later either is on screen. Looking for it costs next to nothing.
HEATMAP = """
window.shownFigure = () => {
  const place = document.querySelector(".st-key-heatmap"), chart = place?.querySelector(".js-plotly-plot");
  if (chart) return chart._fullData && chart.querySelector(".heatmaplayer image") ? chart : null;
  for (const element of place?.querySelectorAll("*") ?? [])
    if (element.shadowRoot) return element.shadowRoot.querySelector(".heat-map")?.dataset.painted ?? null;
  return null;
};
window.awaitFigure = () => {
  const before = shownFigure();
  window.figurePainted = null;
  const look = () => {
    const now = shownFigure();
    if (now !== null && now !== before) afterPaint(time => { window.figurePainted = time; });
    else requestAnimationFrame(look);
  };
  look();
};
"""


def from_enter(page: Page, text: str) -> float:
    """Milliseconds from Enter to the new figure."""
    page.bring_to_front()
    page.evaluate("awaitFigure()")
    press_enter(page, text)
    return _until_painted(page, "keydown")


def from_click(page: Page, head: int) -> float:
    page.bring_to_front()
    page.evaluate("awaitFigure()")
    page.locator(HEADS).nth(head).click()
    return _until_painted(page, "click")


def _until_painted(page: Page, began: str) -> float:
    page.wait_for_function("window.figurePainted", polling=50)
    taken = page.evaluate(f"window.figurePainted - began.{began}")
    page.wait_for_timeout(500)  # the rest of the page finishes, so that it is not counted next time
    return taken


def write_bare_page(folder: Path, translator: Translator) -> Path:
    """A Streamlit page with the two first sentences' figures and the same settings."""
    say = translate("en")
    for name, text in zip(("first", "second"), SENTENCES, strict=False):
        trace = translator.trace(text, keep=("attention", "mask"))
        shown = picture(trace, VIEW, say)
        figure = attention_heatmap(
            shown.combined, shown.queries, shown.keys, say,
            mask=shown.mask, rows=shown.query_axis, columns=shown.key_axis, most=shown.most,
        )  # fmt: skip
        (folder / f"{name}.json").write_text(figure.to_json())
    shutil.copytree(ROOT / ".streamlit", folder / ".streamlit")
    app = folder / "bare.py"
    app.write_text(BARE)
    return app


def main() -> None:
    options, translator = ask(__doc__, rounds=len(SENTENCES) - WARM)
    with (
        tempfile.TemporaryDirectory() as folder,
        running(write_bare_page(Path(folder), translator)) as bare_url,
        running(ROOT / "app.py") as look_url,
        chromium() as browser,
    ):
        pages = {}
        for name, url in (("bare", bare_url), ("look", f"{look_url}/?{urlencode(LINK)}")):
            page, received = new_page(browser, HEATMAP)
            page.set_default_timeout(PATIENCE * 1e3)
            page.goto(url)
            page.wait_for_function("shownFigure() !== null")
            pages[name] = page
        look = pages["look"]

        times: dict[str, list[float]] = {"bare": [], "look": [], "model": []}
        for number, text in enumerate(SENTENCES[: WARM + options.rounds]):
            times["bare"].append(from_enter(pages["bare"], ("second", "first")[number % 2]))
            times["look"].append(from_enter(look, text))
            began = time.perf_counter()
            translator.trace(text, keep=("attention", "mask"))
            times["model"].append((time.perf_counter() - began) * 1e3)
        bare, ours, model = (statistics.median(each[WARM:]) for each in times.values())
        lengths = [len(translator.read(text).ids) for text in SENTENCES]
        print(f"sentences of {min(lengths)} to {max(lengths)} pieces, median of {len(times['look']) - WARM}")
        print(f"Enter to heatmap: Look {ours:.0f} ms, bare {bare:.0f} ms: {ours / bare:.2f} (budget 1.5)")
        print(f"the model alone, translating and replaying: {model:.0f} ms")

        clicks, frames = [], []
        for head in range(1, 6):
            before = received.frames
            clicks.append(from_click(look, head))
            frames.append(received.frames - before)
        print(f"another head: {max(frames) / 1e3:.0f} KB (budget 60), {statistics.median(clicks):.0f} ms")

        page, received = new_page(browser, watching(".st-key-all_heads"))
        page.goto(f"{look_url}/?{urlencode(LINK | {'page': 'all_heads', 's': sentence(translator, 40)})}")
        paint_after(page, "0", PATIENCE)
        print(f"All heads at 40 pieces, opened by its link: {received.frames / 1e3:.0f} KB (budget 500)")


if __name__ == "__main__":
    main()
