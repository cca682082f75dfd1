"""An atlas made by all processes together, with one bar that says how far they are."""

from collections.abc import Iterable
from typing import Any

from model.atlas.observed import make_atlas
from model.processes import Processes
from model.progress import progress
from model.text.treebank import Annotated
from model.translator import Translator


def measured(
    translator: Translator, sentences: Iterable[Annotated], total: int, name: str, group: Processes,
    silencing: bool,
) -> dict[str, Any]:  # fmt: skip
    """The atlas of these sentences, of which there are `total`, under the name of their corpus."""
    with progress(total, name=name, shown=group.first) as bar:

        def advance(done: int) -> None:
            all_done = min(done * group.count, total)  # the other processes are about as far
            bar.update(all_done - bar.n)

        found = make_atlas(translator, sentences, name, silencing=silencing, group=group, progress=advance)
        advance(total)
    return found
