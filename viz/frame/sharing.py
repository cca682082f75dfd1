"""The link to what is on screen: to copy, and as a QR code for a class in front of a projector."""

import io
import socket
from urllib.parse import urlencode, urlsplit, urlunsplit

import segno
import streamlit as st

from viz.state import session
from viz.state.language import say

EVERYWHERE = (None, "", "0.0.0.0", "::")  # addresses a server listens on when it answers everybody
OWN = ("localhost", "127.0.0.1", "::1", "0.0.0.0")


def reachable(url: str, listening: str | None, network: str | None) -> str | None:
    """The address under which others reach this app, or None if they cannot.

    >>> reachable("http://localhost:8501/all_heads", None, "192.168.0.7")
    'http://192.168.0.7:8501/'
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    if host in OWN:
        if listening not in EVERYWHERE or not network:
            return None
        host = network
    port = f":{parts.port}" if parts.port else ""
    return urlunsplit((parts.scheme, host + port, "/", "", ""))


def network_address() -> str | None:
    """This machine's address in its network. Nothing is sent: only the route is looked up."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as route:
        try:
            route.connect(("192.0.2.1", 9))
            address = route.getsockname()[0]
        except OSError:
            return None
    return None if address.startswith("127.") else address


def qr_code(link: str) -> bytes | None:
    """The link as a PNG that a telephone reads from a projector; None if it is too long for one."""
    try:
        code = segno.make(link, error="l", micro=False)
    except segno.DataOverflowError:
        return None
    file = io.BytesIO()
    code.save(file, kind="png", scale=8, border=4)
    return file.getvalue()


def share() -> None:
    """A dialog; what it shows is computed only when it is opened."""
    _dialog(say("share.title"))


def _dialog(title: str) -> None:
    @st.dialog(title)
    def dialog() -> None:
        parameters = urlencode(session.link_to())
        url = st.context.url or ""
        here = reachable(url, st.get_option("server.address"), network_address())
        own = urlsplit(url)
        link = f"{here or urlunsplit((own.scheme, own.netloc, '/', '', ''))}?{parameters}"
        st.markdown(say("share.what"))
        st.code(link, language=None, wrap_lines=True)
        if here is None:
            st.warning(say("share.unreachable"))
            return
        code = qr_code(link)
        if code is None:
            st.info(say("share.too_long"))
            return
        st.image(code, width=320)
        st.caption(say("share.same_network", address=here))

    dialog()
