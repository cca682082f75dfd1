"""The browser's address: one step of its history for each thing that a visitor did."""

import streamlit as st

from viz.components import source

MARKUP = '<div class="address"></div>\n<!-- nothing to see: it writes the address -->\n'

_mount = st.components.v2.component("headlight_address", html=MARKUP, js=source.script("address.js"))


def address(link: str) -> None:
    """Put `link` in the place of the address that was opened; the empty one leaves it as it is."""
    _mount(key="address", data={"link": link})
