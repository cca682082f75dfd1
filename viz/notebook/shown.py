"""One view as a notebook takes it: a page, a drawing that says the same, and plain words."""

from dataclasses import dataclass, field
from pathlib import Path

from viz.notebook.framed import framed


@dataclass(frozen=True)
class Shown:
    """The last value of a cell displays itself; `save` writes the same as a file."""

    text: str
    svg: str = field(repr=False)
    page: str | None = field(default=None, repr=False)  # None: a drawing, which answers to nothing

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        bundle = {"image/svg+xml": self.svg, "text/plain": self.text}
        if self.page is not None:
            bundle["text/html"] = framed(self.page, self.svg, self.text)
        return bundle

    def save(self, path: str | Path) -> Path:
        """As a page, a drawing or words, by the ending: .html, .svg or .txt."""
        path = Path(path)
        made = {".html": self.page, ".svg": self.svg, ".txt": self.text}.get(path.suffix)
        if made is None:
            raise ValueError(f"this is not there as {path.suffix or 'a file without an ending'!r}: {path}")
        path.write_text(made, "utf-8")
        return path
