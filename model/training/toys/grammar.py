"""Korean sentences of a few words and their English: the verb moves from the end into the middle.

Who does what to whom is in the particles (이 and 을), not in the order: half of the sentences begin with the
object, as Korean may. English is in the plural throughout, so that every word of it has one Korean word.
"""

from random import Random

NOUNS = {"고양이들": "cats", "새들": "birds", "아이들": "children", "학생들": "students"}
SUBJECT, OBJECT = "이", "을"  # the particles after a noun that ends in a consonant
ADJECTIVES = {"작은": "small", "큰": "big", "착한": "kind"}
ADVERBS = {"자주": "often", "늘": "always"}
VERBS = {"봐요": "see", "좋아해요": "like", "찾아요": "find", "그려요": "draw"}
KOREAN = (
    *(noun + particle for noun in NOUNS for particle in (SUBJECT, OBJECT)), *ADJECTIVES, *ADVERBS, *VERBS
)  # fmt: skip
ENGLISH = (*NOUNS.values(), *ADJECTIVES.values(), *ADVERBS.values(), *VERBS.values())
Pair = tuple[tuple[str, ...], tuple[str, ...], tuple[int | None, ...]]


def draw_sentence(draw: Random) -> Pair:
    """A sentence, its translation, and the source position of each word of it."""
    subject, object_ = _phrase(draw, SUBJECT), _phrase(draw, OBJECT)
    adverb, verb = _some(draw, ADVERBS), [draw.choice([*VERBS.items()])]
    korean, english = [subject, object_, adverb, verb], [subject, adverb, verb, object_]
    begins: dict[int, int] = {}  # where each phrase stands; two phrases may have the same words
    for phrase in korean:
        begins[id(phrase)] = sum(map(len, korean[: len(begins)]))
    return (
        tuple(word for phrase in korean for word, _ in phrase),
        tuple(word for phrase in english for _, word in phrase),
        tuple(begins[id(phrase)] + place for phrase in english for place in range(len(phrase))),
    )


def _phrase(draw: Random, particle: str) -> list[tuple[str, str]]:
    """A noun with its particle, perhaps with an adjective before it; each word with its translation."""
    noun, translated = draw.choice([*NOUNS.items()])
    return [*_some(draw, ADJECTIVES), (noun + particle, translated)]


def _some(draw: Random, words: dict[str, str]) -> list[tuple[str, str]]:
    return [draw.choice([*words.items()])] if draw.random() < 0.5 else []
