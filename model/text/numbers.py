"""Whole numbers below a hundred in words, in English and in French."""

ENGLISH = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
ENGLISH_TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
FRENCH = [
    "zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze",
    "treize", "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf",
]  # fmt: skip
FRENCH_TENS = [
    "", "", "vingt", "trente", "quarante", "cinquante", "soixante", "soixante",
    "quatre-vingt", "quatre-vingt",
]  # fmt: skip


def in_english(number: int) -> str:
    """
    >>> [in_english(number) for number in (7, 13, 40, 85)]
    ['seven', 'thirteen', 'forty', 'eighty-five']
    """
    if number < 20:
        return ENGLISH[number]
    tens, ones = divmod(number, 10)
    return ENGLISH_TENS[tens] + (f"-{ENGLISH[ones]}" if ones else "")


def in_french(number: int) -> str:
    """
    >>> [in_french(number) for number in (7, 25, 71, 76, 80, 91)]
    ['sept', 'vingt-cinq', 'soixante et onze', 'soixante-seize', 'quatre-vingts', 'quatre-vingt-onze']
    """
    if number < 20:
        return FRENCH[number]
    tens, ones = divmod(number, 10)
    if tens in (7, 9):
        ones += 10  # seventy is sixty-ten
    if not ones:
        return FRENCH_TENS[tens] + ("s" if number == 80 else "")
    joint = " et " if ones in (1, 11) and tens < 8 else "-"
    return f"{FRENCH_TENS[tens]}{joint}{FRENCH[ones]}"
