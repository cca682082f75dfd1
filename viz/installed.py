"""Where the script of all pages lies, with Streamlit's settings beside it.

In a checkout that is its top. Of an installed package both are data: files that lie beside its Python code,
where the environment keeps what programs share.
"""

import site
import sysconfig
from pathlib import Path

PACKAGES = Path(__file__).parents[1]
SHARED = Path("share") / "headlight"  # as pyproject.toml says


def home() -> Path:
    """The folder of app.py."""
    bases = (PACKAGES, Path(sysconfig.get_path("data")), Path(site.getuserbase()))
    places = [PACKAGES, *(base / SHARED for base in bases)]
    return next((place for place in places if (place / "app.py").is_file()), PACKAGES)
