"""Colours that the Streamlit theme has no place for: one hue a head, the same on every page.

Seven of Okabe and Ito's eight hues (Color Universal Design, 2008) and a grey, each darkened or
lightened until it stands out from its background by 3:1; the number of a head is always beside it.
"""

HEAD_HUES = {
    "light": ("#0072b2", "#d55e00", "#008f68", "#b95b95", "#b07500", "#3a8fc7", "#857a00", "#4d525e"),
    "dark": ("#3e9bdc", "#e8722a", "#1db58a", "#d98cb8", "#e69f00", "#7cc8f2", "#f0e442", "#b9bdc9"),
}
