"""Why what a visitor gave cannot be read, in their language; the shell has the model's own words."""

from model.text.refused import Refused
from model.text.tokenizer import BlankText, BrokenText, TextTooLong
from viz.state.language import say


def reason(error: ValueError, file: str | None = None) -> str:
    """One sentence, with its place where it has one; `file` is what the visitor calls the file."""
    if isinstance(error, BlankText):
        return say("sentence.blank")
    if isinstance(error, TextTooLong):
        return say("sentence.too_long", pieces=error.pieces, longest=error.longest)
    if isinstance(error, BrokenText):
        return say("sentence.broken")
    if not isinstance(error, Refused):
        return str(error)
    inner = error.values.get("reason")
    values = error.values | ({"reason": reason(inner)} if isinstance(inner, ValueError) else {})
    said = say(f"refused.{error.why}", **values)
    if error.place is None:
        return said
    unit = error.place.unit if error.place.number else "file"
    where = say(f"refused.at.{unit}", file=file or error.place.file, number=error.place.number)
    return f"{where}: {said}"
