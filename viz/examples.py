"""Sentences to begin with, each of our own and each there for one thing that it shows."""

EXAMPLES = {
    "tired": "The animal didn't cross the street because it was too tired.",
    "wide": "The animal didn't cross the street because it was too wide.",
    "bank": "He sat on the bank of the river and read a book.",
    "money": "She went to the bank to borrow some money.",
    "agreement": "The girls who live in the small house next door are always happy.",
    "rare": "My neighbour plays the bagpipes every Sunday.",
    "question": "Why didn't you tell me that you were coming?",
    "long": (
        "When I was a child, my grandmother told me a long story every evening, and although I knew "
        "all of them by heart, I always asked her to tell me one more before I went to sleep."
    ),
}
