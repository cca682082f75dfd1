"""One head: its names, what breaks without it, where it looks meanwhile, and sentences before and after."""

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from model.inspect.variants import Head
from viz.components.drawing import show
from viz.figures.numbers import fixed, percent, signed
from viz.pages.atlas.figures import named as figures
from viz.state import atlas as atlases
from viz.state import causal, session
from viz.state.language import say
from viz.text import TEXT, verbatim
from viz.widgets.names import head_name, phenomenon_name, role_name
from viz.widgets.panel import Panel


def causal_card(atlas: Mapping, where: causal.Where, asked: str) -> Panel:
    """What is known of the head by silencing it; `asked` is the phenomenon that was clicked."""
    effects = causal.effects(atlas, where)
    carried = causal.carriers(atlas).get(where, [])
    about = subject(atlas, where, asked)
    st.markdown(f"#### {verbatim(head_name(*where))}")
    said = verdicts(atlas, where, carried)
    st.markdown("\n".join(f"- **{verbatim(name)}**: {verbatim(rest)}" for name, rest in said))
    if not said:
        st.markdown(say("named.no_role", count=len(effects)))
    if examples := _examples(atlas, where, about):
        show_example(examples[0], where, 0)  # the story first, then the numbers
    for role in atlases.evidence(atlas, *where):
        st.caption(evidence(role))
    rows = [
        figures.Row(phenomenon_name(each.phenomenon), each.phenomenon, each.phenomenon,
                    each.phenomenon == about, each)
        for each in effects
    ]  # fmt: skip
    drawn = figures.effects(rows, say("named.effects", head=head_name(*where)), say)
    show(drawn, key="named_effects", on_pick=_ask)
    finding = " ".join(f"{name}: {rest}." for name, rest in said) or say("named.no_role", count=len(effects))
    return Panel({"named_effects": drawn}, finding=f"{head_name(*where)}: {finding}")


def verdicts(atlas: Mapping, where: causal.Where, carried: list[str]) -> list[tuple[str, str]]:
    """Each name of the head with what breaks without it, in the numbers that were measured."""
    said = []
    for name in carried:
        told = causal.phenomena(atlas)[name]
        entry = causal.entry_of(told, where)
        value, flips = entry["silenced"], percent(entry["flips"] or 0.0, 0)
        lost = {"lost": -value["value"], "gap": told["gap"], "low": -value["high"], "high": -value["low"]}
        share, numbers = percent(lost["lost"] / lost["gap"], 0), {key: fixed(lost[key], 1) for key in lost}
        said.append((phenomenon_name(name), say("named.role", share=share, flips=flips, **numbers)))
    return said


def evidence(role: Mapping) -> str:
    """A role that was observed, with what it beats; where less is better, that is said."""
    values = {name: fixed(role[name]) for name in ("value", "low", "high", "baseline", "null")}
    key = "card.evidence.lower" if role["measure"].startswith("aer.") else "card.evidence"
    return f"{role_name(role['role'])}: {say(key, n=role['n'], **values)}"


def _ask() -> None:
    st.session_state["phenomenon"] = st.session_state["named_effects"]["pick"]


def show_about(atlas: Mapping, where: causal.Where, asked: str) -> None:
    """One phenomenon: the question, other ways to take the head away, and where it looks meanwhile."""
    if not (name := subject(atlas, where, asked)):
        return
    told = causal.phenomena(atlas)[name]
    entry = causal.entry_of(told, where)
    st.markdown(f"**{verbatim(phenomenon_name(name))}** · {verbatim(_asks(name, told))}")
    st.caption(_ways(entry))
    if looks := entry.get("looks"):
        st.caption(_looks(looks, where[0]))
    for pair in told["backups"]:
        if where in map(causal.where, pair["heads"]):
            st.caption(_backup(pair, where))
    link = session.link()
    with st.container(horizontal=True, gap="small"):
        for page in ("look", "inside", "experiment"):
            seen = {"page": page, **link}
            st.page_link(session.address(page), label=say(f"{page}.short"), query_params=seen)


def show_examples(atlas: Mapping, where: causal.Where, asked: str) -> None:
    """More sentences before and after: where most breaks, an ordinary one, and where nothing does."""
    about = subject(atlas, where, asked)
    if not (examples := _examples(atlas, where, about)):
        return
    st.markdown(f"**{say('named.examples', head=head_name(*where), name=verbatim(phenomenon_name(about)))}**")
    seen: set[str] = set()
    for number, example in enumerate(examples):
        if number and (example["rank"] == "most" or example["rank"] not in seen):
            show_example(example, where, number)
        seen.add(example["rank"])


def _examples(atlas: Mapping, where: causal.Where, about: str) -> Sequence[Mapping]:
    return causal.entry_of(causal.phenomena(atlas)[about], where).get("examples", ()) if about else ()


def subject(atlas: Mapping, where: causal.Where, asked: str) -> str:
    """The phenomenon that the card is about: the one that was asked for, else what the head carries most."""
    if asked in causal.phenomena(atlas):
        return asked
    return (causal.carriers(atlas).get(where) or [""])[0]


def _asks(name: str, told: Mapping) -> str:
    key = f"phenomenon.{name}.asks"
    return say(key) if key in TEXT else told["asks"]


def _ways(entry: Mapping) -> str:
    parts = [
        say(f"named.way.{way}", value=signed(entry[way]["value"]), n=entry[way]["n"])
        for way in causal.WAYS
        if entry[way] is not None
    ]
    specificity = entry["specificity"]
    if specificity is not None:
        parts.append(say("named.specificity", value=fixed(specificity, 2)))
    return " · ".join(parts)


def _looks(looks: Mapping, kind: str) -> str:
    """In the rows that decide, the classes of word and the words with most weight."""
    classes = [
        say("named.looks.class", name=say(f"word_class.{name}"), weight=fixed(weight, 2))
        for name, weight in list(looks["classes"].items())[:3]
    ]
    words = [f"“{verbatim(word)}” {fixed(weight, 2)}" for word, weight in looks["words"]]
    key = "named.looks.encoder" if kind == "encoder" else "named.looks"
    return say(key, classes=", ".join(classes), words=", ".join(words), n=looks["n"])


def _backup(pair: Mapping, where: causal.Where) -> str:
    other = next(head for head in map(causal.where, pair["heads"]) if head != where)
    return say(
        "named.backup", other=head_name(*other), together=fixed(-pair["together"], 1),
        sum=fixed(-sum(pair["alone"]), 1), n=pair["n"],
    )  # fmt: skip


def show_example(example: Mapping, where: causal.Where, number: int) -> None:
    """A sentence with and without the head, and the way to try it."""
    rank = example["rank"]
    with st.container(key=f"named_example_{number}", gap=None):
        st.caption(say(f"named.example.{rank}", change=signed(example["change"], 1)))
        st.text(example["sentence"])
        if example["before"] == example["after"]:
            st.text(say("named.same", text=example["before"]))
        else:
            st.text(say("named.before", text=example["before"]))
            st.text(say("named.after", text=example["after"]))
        st.button(
            say("named.try"), key=f"named_try_{number}", type="tertiary",
            on_click=partial(switch_off, example["sentence"], where),
        )  # fmt: skip


def switch_off(sentence: str, where: causal.Where) -> None:
    """On to Experiment: this sentence, without this head."""
    session.write(sentence)
    session.change(Head(*where).silenced)
    session.select(kind=where[0], layer=where[1], head=(where[2],), row=None, column=None)
    st.session_state["test"] = "compare"
    session.go("experiment")
