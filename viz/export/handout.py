"""A handout to print: the sentence, its translation, and pictures with a sentence under each.

One file without a script; on paper it breaks between sections, never inside one.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from viz.figures.palette import FONT, LIGHT, OPACITY
from viz.figures.svg import escape, tag

STYLE = f"""
:root {{ color-scheme: light; }}
body {{ margin: 2rem auto; max-width: 46rem; padding: 0 1rem; font: 16px/1.5 {FONT}; color: {LIGHT.ink}; }}
h1 {{ font-size: 1.5rem; }} h2 {{ font-size: 1.1rem; margin: 0 0 .4rem; }}
dl {{ display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; }}
dt, footer {{ opacity: {OPACITY["quiet"]}; }} dd {{ margin: 0; }}
section {{ break-inside: avoid; margin: 1.6rem 0; }} section svg {{ max-width: 100%; height: auto; }}
p {{ word-break: keep-all; overflow-wrap: anywhere; }} .sum {{ font-variant-numeric: tabular-nums; }}
.blank {{ border-bottom: 1px solid; display: inline-block; min-width: 9rem; }}
footer {{ font-size: .85rem; }}
@page {{ margin: 16mm; }} @media print {{ body {{ margin: 0; max-width: none; font-size: 11pt; }} }}
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"  # no script, nothing to load


class Section(NamedTuple):
    """One picture and what it says; a question leaves room to write, its answer stands at the end."""

    heading: str
    svg: str
    text: str
    sum: str = ""  # the arithmetic, in one line
    question: str = ""
    answer: str = ""


def handout(
    say: Callable[..., str], *, title: str, sentence: str, translation: str, sections: Sequence[Section],
    told: Mapping[str, str] | None = None,
) -> str:  # fmt: skip
    """The whole page; everything but the drawings is plain text."""
    facts = [(say("standalone.sentence"), sentence), (say("standalone.translation"), translation)]
    facts += (told or {}).items()
    body = [
        tag("h1", escape(title)),
        tag("dl", *(tag("dt", escape(name)) + tag("dd", escape(what)) for name, what in facts)),
        *map(_section, sections),
    ]
    if answers := [(each.heading, each.answer) for each in sections if each.answer]:
        listed = (tag("li", escape(f"{heading}: {answer}")) for heading, answer in answers)
        body.append(tag("section", tag("h2", escape(say("handout.answers"))), tag("ol", *listed)))
    body.append(tag("footer", escape(say("handout.made"))))
    head = (
        tag("meta", charset="utf-8")
        + tag("meta", http_equiv="Content-Security-Policy", content=POLICY)
        + tag("title", escape(title))
        + tag("style", STYLE)
    )
    return "<!doctype html>" + tag(
        "html", tag("head", head), tag("body", *body), lang=say("standalone.language")
    )


def _section(section: Section) -> str:
    parts = [tag("h2", escape(section.heading)), section.svg]
    if section.sum:
        parts.append(tag("p", escape(section.sum), class_="sum"))
    parts.append(tag("p", escape(section.text)))
    if section.question:
        parts.append(tag("p", escape(section.question) + " ", tag("span", " ", class_="blank")))
    return tag("section", *parts)
