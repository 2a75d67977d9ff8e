"""How far a long motion is, for those who wait."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import Any, Callable, Iterator, Optional, Union

Progress = Optional[Union[bool, Callable[[float, float], Any]]]


class Bar:
    """A line on standard error that is drawn anew and gone in the end."""

    width = 40

    def __init__(self, of: str = "") -> None:
        self.of = of
        self.drawn = False

    def __call__(self, fraction: float, t: float) -> None:
        done = round(self.width * min(max(fraction, 0.0), 1.0))
        where = f"{t:.0f} {self.of}" if self.of else f"t = {t:.6g}"
        sys.stderr.write(f"\r[{'#' * done}{'.' * (self.width - done)}] {100 * fraction:3.0f} %  {where}  ")
        sys.stderr.flush()
        self.drawn = True

    def clear(self) -> None:
        if self.drawn:
            sys.stderr.write("\r" + " " * (self.width + 32) + "\r")
            sys.stderr.flush()


@contextmanager
def shown(progress: Progress, of: str = "") -> Iterator[Optional[Callable[[float, float], Any]]]:
    """Whom to tell: nobody, a bar that is gone in the end, or the caller's own function. `of` is what is counted, where it is not time."""
    if progress is True:
        bar = Bar(of)
        try:
            yield bar
        finally:
            bar.clear()
    elif progress is None or progress is False:
        yield None
    elif callable(progress):
        yield progress
    else:
        raise TypeError("progress is True or a function")
