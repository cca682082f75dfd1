"""One line that says how far a long job is: a bar on a terminal, a line a minute elsewhere."""

import sys
import time
from typing import TextIO

BAR, LINE_EVERY = 24, 60.0  # characters, seconds


class Progress:
    def __init__(self, total: int, done: int = 0, to: TextIO = sys.stderr) -> None:
        self.total, self.to, self.begun = total, to, done
        self.since, self.shown = time.monotonic(), 0.0

    def show(self, done: int, facts: str = "") -> None:
        now, terminal = time.monotonic(), self.to.isatty()
        if now - self.shown < (0.1 if terminal else LINE_EVERY) and done < self.total:
            return
        self.shown = now
        filled = round(BAR * done / max(1, self.total))
        bar = "█" * filled + "░" * (BAR - filled)
        line = f"{bar} {done}/{self.total}  {facts}  {self._left(done, now)}"
        print(f"\r\033[K{line}" if terminal else line, end="" if terminal else "\n", file=self.to)
        self.to.flush()
        if terminal and done >= self.total:
            print(file=self.to)

    def _left(self, done: int, now: float) -> str:
        if done >= self.total:
            return f"took {duration(now - self.since)}"
        if done <= self.begun:
            return ""
        return f"{duration((now - self.since) / (done - self.begun) * (self.total - done))} left"


def duration(seconds: float) -> str:
    """
    >>> duration(3_725)
    '1 h 02 min'
    """
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {seconds:02} s" if minutes else f"{seconds} s"
