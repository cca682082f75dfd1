"""The server: every address of a page leads to the one address that pages are shown at.

Streamlit's browser side guesses from the path where its server is: under /look it asks /look/_stcore/health
first and logs that nothing is there, under /a/b it never finds it. So a page asked for by its path is sent
to the root with its name as a parameter, as in every link, and what is no page is named there.
"""

from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import App, config

from viz.installed import home


def root_of(path: str, query: str, base: str = "") -> str | None:
    """Where a path leads, seen from itself: a proxy may have added or taken away what stands before it.

    >>> root_of("/look", "s=Hi"), root_of("/a/b", ""), root_of("/", "page=look")
    ('./?s=Hi&page=look', '../?page=a%2Fb', None)
    """
    name = path.strip("/").removeprefix(base.strip("/")).strip("/")
    own = "_stcore" in path or "." in name.rpartition("/")[2]  # what Streamlit serves: files, its own routes
    if not name or own:
        return None
    asked = dict(parse_qsl(query, keep_blank_values=True)) | {"page": name}
    return ("../" * name.count("/") or "./") + f"?{urlencode(asked)}"


class OneAddress:
    """Sends whoever opens a page by its path to the root; all else passes."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer: ASGIApp = self.app
        if scope["type"] == "http" and "text/html" in Headers(scope=scope).get("accept", ""):
            query, base = scope["query_string"].decode("latin-1"), config.get_option("server.baseUrlPath")
            if there := root_of(scope["path"], query, base):
                answer = RedirectResponse(there)
        await answer(scope, receive, send)


APP = home() / "app.py"
app = App(APP, middleware=[Middleware(OneAddress)])
