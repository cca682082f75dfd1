"""An atlas made by all processes together, with one bar that says how far they are."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from model.atlas.causal.report import measure
from model.atlas.observed import make_atlas
from model.probe.contrasts import Phenomenon
from model.processes import Processes
from model.progress import progress
from model.text.treebank import Annotated
from model.translator import Translator


def measured(
    translator: Translator, sentences: Iterable[Annotated], total: int, name: str, group: Processes,
    silencing: bool,
) -> dict[str, Any]:  # fmt: skip
    """The atlas of these sentences, of which there are `total`, under the name of their corpus."""
    with _bar(name, total, group) as advance:
        return make_atlas(translator, sentences, name, silencing=silencing, group=group, progress=advance)


def causal(translator: Translator, phenomena: Sequence[Phenomenon], group: Processes) -> dict[str, Any]:
    """What breaks without each head, as the parts of an atlas that tell it; nothing asked, nothing told."""
    if not phenomena:
        return {}
    total = sum(len(each.contrasts) for each in phenomena)
    with _bar("contrasts", total, group) as advance:
        found, method = measure(translator, phenomena, group, advance)
    return {"causal": found, "causal_method": method}


@contextmanager
def _bar(name: str, total: int, group: Processes) -> Iterator[Callable[[int], None]]:
    """A bar, and the function to tell it how much this process has done."""
    with progress(total, name=name, shown=group.first) as bar:

        def advance(done: int) -> None:
            all_done = min(done * group.count, total)  # the other processes are about as far
            bar.update(all_done - bar.n)

        yield advance
        advance(total)
