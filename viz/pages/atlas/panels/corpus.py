"""Your own corpus: paste or upload text or CoNLL-U, and the atlas is measured on it."""

import tempfile
from itertools import islice
from pathlib import Path

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from model.text.treebank import Annotated, plain, read
from viz.pages.atlas.numbers.measuring import measure
from viz.pages.atlas.panels.counting import counting_bar
from viz.state import models, runs
from viz.state.language import say
from viz.state.refusals import reason
from viz.text import verbatim

MOST = 200  # sentences: about a minute


def own_corpus() -> None:
    """A box, a file, a button; a bar while it works, and the atlas of this corpus afterwards."""
    if done := st.session_state.pop("corpus_done", None):
        st.success(verbatim(done))
    typed = st.text_area(say("corpus.text"), key="corpus_text", height=140, placeholder=say("corpus.hint"))
    file = st.file_uploader(say("corpus.file"), ["txt", "conllu"], key="corpus_file")
    if st.session_state.get(models.own("own_atlas")):
        st.button(say("corpus.forget"), key="corpus_forget", on_click=_forget)
    if not st.button(say("corpus.start"), key="corpus_start", type="primary"):
        st.caption(say("corpus.what", most=MOST))
        return
    try:
        name, sentences = _sentences(typed, file)
        _check(sentences[:MOST])
    except ValueError as error:
        st.warning(say("corpus.refused"))
        st.text(error)
        return
    if len(sentences) < 2:
        st.warning(say("corpus.short"))
        return
    _measure(name, sentences[:MOST], "corpus.first" if len(sentences) > MOST else "corpus.done")


def _measure(name: str, sentences: list[Annotated], message: str) -> None:
    progress = counting_bar(len(sentences), key="corpus_stop")
    try:
        st.session_state[models.own("own_atlas")] = measure(runs.checkpoint(), sentences, name, progress)
    except RuntimeError:
        st.warning(say("corpus.died"))
        return
    st.session_state["corpus_done"] = say(message, name=name, count=len(sentences))
    st.rerun()


def _check(sentences: list[Annotated]) -> None:
    for number, sentence in enumerate(sentences, 1):
        if problem := runs.refusal(sentence.text):
            raise ValueError(say("corpus.sentence", number=number, reason=problem))


def _forget() -> None:
    st.session_state[models.own("own_atlas")] = None


def _sentences(typed: str, file: UploadedFile | None) -> tuple[str, list[Annotated]]:
    """What was given, as sentences, one more than are measured if there are more.

    A treebank's bad line is refused by its number.
    """
    if file is None:
        return say("corpus.own"), _plain(typed)
    content = file.getvalue()
    if file.name.endswith(".conllu"):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "corpus.conllu"
            path.write_bytes(content)
            try:
                return file.name, list(islice(read(path), MOST + 1))
            except ValueError as error:
                raise ValueError(reason(error, file.name)) from None
    try:
        return file.name, _plain(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ValueError(say("corpus.encoding")) from None


def _plain(text: str) -> list[Annotated]:
    """A sentence a line."""
    lines = filter(None, map(str.strip, text.splitlines()))
    return [plain(line) for line in islice(lines, MOST + 1)]
