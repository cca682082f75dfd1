"""Facts of French that more than one part of the project needs: elision, pronouns, plurals, spacing.

Some short words lose their vowel before another one (le + été = l'été), and so do que and what is made with
it. Before an h or a y it depends on the word: l'homme, but le héros.
"""

from collections.abc import Iterable

ELIDING = ("ce", "de", "je", "la", "le", "me", "ne", "se", "te", "que", "jusque", "lorsque", "puisque",
           "quoique")  # fmt: skip
ELIDED = "|".join(sorted({word[:-1] for word in ELIDING}))  # what is left of them: l' d' qu', for a pattern
VOWELS = "aàâäeéèêëiîïoôöuùûüœæ"
BEFORE_VOWEL = {"ma": "mon", "sa": "son", "ta": "ton"}  # these take another form instead of eliding
UNCERTAIN = "hy"  # words that begin with these elide or not, each by itself
PRONOUNS = {  # by gender (is it feminine?) and number (is it plural?)
    (False, False): "il", (True, False): "elle", (False, True): "ils", (True, True): "elles",
}  # fmt: skip
BE = {  # what is said of a third person, in English and in French, by number (plural?) and time (past?)
    (False, False): ("is", "est"), (False, True): ("was", "était"),
    (True, False): ("are", "sont"), (True, True): ("were", "étaient"),
}  # fmt: skip


def begins_with_vowel(text: str) -> bool:
    return text != "" and text[0].lower() in VOWELS


def elide(word: str, after: str, silent_h: bool = False) -> str:
    """A word as it is written before another; `silent_h` says that an h at the beginning of that is silent.

    >>> elide("que", "il"), elide("que", "Tom"), elide("la", "horloge", silent_h=True), elide("sa", "amie")
    ("qu'", 'que', "l'", 'son')
    """
    if not begins_with_vowel(after.removeprefix("h") if silent_h else after):
        return word
    return f"{word[:-1]}'" if word in ELIDING else BEFORE_VOWEL.get(word, word)


def plural_of(word: str) -> str:
    """Of a French noun or adjective, by rule.

    >>> [plural_of(word) for word in ("grand", "heureux", "beau", "normal")]
    ['grands', 'heureux', 'beaux', 'normaux']
    """
    if word[-1] in "sx":
        return word
    if word.endswith("al"):
        return word[:-1] + "ux"
    return word + ("x" if word.endswith("eau") else "s")


def french_text(words: Iterable[str]) -> str:
    """French words as they are written: a space between two, but none after an apostrophe or before , . or -.

    >>> french_text(["A", "-t-il", "l'", "heure", ",", "Luc", "?"])
    "A-t-il l'heure, Luc ?"
    """
    text = ""
    for word in words:
        tight = not text or text.endswith("'") or word in (",", ".") or word.startswith("-")
        text += word if tight else f" {word}"
    return text
