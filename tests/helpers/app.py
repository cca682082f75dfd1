"""The app as its scripts see it, without a browser."""

from streamlit.testing.v1 import AppTest

from tests.helpers.paths import ROOT

PAGES = sorted(path.parent.name for path in (ROOT / "viz/pages").glob("*/page.py"))


def open_app(page: str | None = None, **parameters: str) -> AppTest:
    """The app after its first run, on a page and with a view as a link gives them."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for name, value in {"page": page, **parameters}.items():
        if value is not None:
            app.query_params[name] = value
    app.run()
    assert not app.exception
    return app
