"""How far a long motion is, for those who wait."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import Any, Callable, Iterator, Optional, Union

Progress = Optional[Union[bool, Callable[[float, float], Any]]]


class Bar:
    """A line on standard error that is drawn anew, and ends where the work did."""

    width = 40

    def __init__(self, of: str = "") -> None:
        self.of = of
        self.drawn = False

    def __call__(self, fraction: float, t: float) -> None:
        done = round(self.width * min(max(fraction, 0.0), 1.0))
        where = f"{t:.0f} {self.of}" if self.of else f"t = {t:.6g}"
        self._write(f"\r[{'#' * done}{'.' * (self.width - done)}] {100 * fraction:3.0f} %  {where}  ")
        self.drawn = True

    def end(self, done: bool) -> None:
        """Full where the work is done; whatever comes next begins a line of its own."""
        if self.drawn:
            self._write((f"\r[{'#' * self.width}] 100 %" + " " * 24 if done else "") + "\n")

    @staticmethod
    def _write(text: str) -> None:
        if sys.stderr is not None:  # as of programs without a terminal
            sys.stderr.write(text)
            sys.stderr.flush()


@contextmanager
def shown(progress: Progress, of: str = "") -> Iterator[Optional[Callable[[float, float], Any]]]:
    """Whom to tell: nobody, a bar, or the caller's own function. `of` is what is counted, where it is not time."""
    if progress is True:
        bar = Bar(of)
        try:
            yield bar
        except BaseException:
            bar.end(False)
            raise
        bar.end(True)
    elif progress is None or progress is False:
        yield None
    elif callable(progress):
        yield progress
    else:
        raise TypeError("progress is True or a function")
