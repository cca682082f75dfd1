"""From a click to the tree of a new search with eight beams, in Chromium, beside the search itself.

    python -m benchmarks.beam_on_screen [--rounds 12]

Each sentence of about 20 pieces is open with a beam of 4; a click asks for 8, which nobody has searched yet.
The time is from the click to the painted tree, by the page's own clock; the search alone takes its turn.
"""

import statistics
import time
from urllib.parse import urlencode

import torch

from benchmarks.browser import new_page
from benchmarks.enter_to_heatmap import SENTENCES, WARM
from benchmarks.measured import PATIENCE
from benchmarks.options import ask
from tests.helpers.paths import ROOT
from tests.helpers.server import chromium, running

BUDGET, WIDEST = 2.0, 8
LINK = {"page": "decoding", "decoding": "beam", "beam": 4}
TREE = """
window.shownTree = () => {
  for (const element of document.querySelector(".st-key-picture_beam_tree")?.querySelectorAll("*") ?? [])
    if (element.shadowRoot) return element.shadowRoot.querySelector(".drawing")?.dataset.painted ?? null;
  return null;
};
window.awaitTree = () => {
  const before = shownTree();
  window.treePainted = null;
  const look = () => {
    const now = shownTree();
    if (now !== null && now !== before) afterPaint(time => { window.treePainted = time; });
    else requestAnimationFrame(look);
  };
  look();
};
"""


def main() -> None:
    options, translator = ask(__doc__, rounds=12)
    torch.set_num_threads(1)  # as in the app
    on_screen, alone = [], []
    with running(ROOT / "app.py") as url, chromium() as browser:
        page, _ = new_page(browser, TREE)
        page.set_default_timeout(PATIENCE * 1e3)
        for text in SENTENCES[: WARM + options.rounds]:
            page.goto(f"{url}/?{urlencode(LINK | {'s': text})}")
            page.wait_for_function("window.shownTree() !== null")
            page.wait_for_timeout(1_500)  # the rest of the page comes to rest
            page.evaluate("awaitTree()")
            page.locator(".st-key-beam").get_by_role("radio", name=str(WIDEST), exact=True).click()
            page.wait_for_function("window.treePainted", polling=50)
            on_screen.append(page.evaluate("window.treePainted - began.click"))
            began = time.perf_counter()
            translator.search(text, size=WIDEST)
            alone.append((time.perf_counter() - began) * 1e3)
    shown, searched = (statistics.median(times[WARM:]) for times in (on_screen, alone))
    print(f"beam {WIDEST}, sentences of 16 to 22 pieces, median of {len(alone) - WARM}")
    print(f"click to tree {shown:.0f} ms, the search alone {searched:.0f} ms: {shown / searched:.2f} "
          f"(budget {BUDGET}), {shown - searched:.0f} ms more")  # fmt: skip


if __name__ == "__main__":
    main()
