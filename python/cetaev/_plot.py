"""Figures on matplotlib."""

from __future__ import annotations

from typing import Any, Optional

from ._motion import Motion


def plot(motion: Motion, *names: Any, x: Any = "t", ax: Optional[Any] = None, **style: Any) -> Any:
    """Columns of a motion over time, or over another column; the positions where none is named.

    `cetaev.plot(motion, "y", x="x")` is the path. Hands back the axes of matplotlib, which also get the `style`.
    """
    if not isinstance(motion, Motion):
        raise TypeError(f"plot needs a Motion, not {type(motion).__name__}")
    chosen = [str(name) for name in names] or list(motion.q)
    curves = [(name, motion[name]) for name in chosen]
    across = motion[x]
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.figure().gca()
    for name, values in curves:
        ax.plot(across, values, label=name, **style)
    ax.set_xlabel(str(x))
    if len(curves) == 1:
        ax.set_ylabel(chosen[0])
    else:
        ax.legend()
    return ax
