"""Sentences to begin with, each of our own and each there for one thing that it shows."""

EXAMPLES = {
    "she": "The boy didn't buy the shirt because it was too small.",
    "he": "The boy didn't buy the coat because it was too small.",
    "noun": "My brother lost his watch in the garden.",
    "verb": "We watch the birds in the garden.",
    "agreement": "The flowers near the window are very beautiful.",
    "rare": "My aunt is allergic to strawberries.",
    "question": "Why didn't you tell me that you were coming?",
    "long": (
        "If it doesn't rain tomorrow, we will go to the beach with our friends "
        "and we will stay there all day."
    ),
}
