"""Figures on matplotlib."""

from __future__ import annotations

import math
from typing import Any, Callable, NamedTuple, Optional, Tuple, Union

import numpy as np

from ._arguments import column_name, finite_list
from ._checked import checked, optional
from ._errors import Error
from ._motion import Motion
from ._small_motions import Branch, Chart, Linearization
from ._sweep import Sweep


class _How(NamedTuple):
    """What is wanted beside the columns."""

    x: Any = None
    colour: Any = None
    level: Optional[float] = None
    histogram: bool = False
    log: bool = False

    def only(self, *allowed: str) -> None:
        """Refuses what such a figure does not have."""
        for name, value in self._asdict().items():
            if name not in allowed and not (value is None or value is False):
                raise TypeError(f"such a figure has no {name}")

    def shown(self, values: np.ndarray) -> np.ndarray:
        """On a logarithmic scale absolute values, where an exact zero has no place."""
        return np.where(values == 0, np.nan, np.abs(values)) if self.log else values


@checked
def plot(
    what: Union[Motion, Sweep, Linearization, Branch],
    *names: Any,
    x: Any = None,
    colour: Any = None,
    level: Optional[float] = None,
    histogram: bool = False,
    log: bool = False,
    equal: bool = False,
    ax: Optional[Any] = None,
    **style: Any,
) -> Any:
    """A figure of a motion, of a sweep, of eigenvalues along a parameter, of a chart of stability, or of a branch of periodic motions. Hands
    back the axes of matplotlib.

    Columns of a motion are curves over time, or over another column `x`; the positions where none is named. `plot(motion, "y", x="x")` is
    the path. The motions of a sweep are points over what varies first, their colour the value of the column `colour`; where `x` and the
    column named are a grid, a map of it. The colours change sides at the `level`, where there is one, and through a map a line is drawn
    where it is passed. A `histogram` has how many samples, or motions, have which values of the columns named. A chart is a map of its
    growth with the line where it begins. Columns of a branch are curves over what varies, the largest values of the coordinates that come
    back where none is named: full where the motions are stable, dashed where they are not, dotted where that is undecided, with a dot where
    something happens. With `log` absolute values stand on a logarithmic scale; with `equal` a length is the same in both directions. The
    `style` is matplotlib's.

    >>> import cetaev
    >>> motion = cetaev.Model("skate").run(t_end=10)
    >>> axes = cetaev.plot(motion, "y", x="x", equal=True)
    >>> axes.get_xlabel(), axes.get_ylabel()
    ('x', 'y')
    >>> cetaev.plot(motion, "E", "residual", log=True).get_yscale()
    'log'
    """
    draw: Callable[..., Any]
    if isinstance(what, Motion):
        draw = _motion
    elif isinstance(what, Sweep):
        draw = _sweep
    elif isinstance(what, Chart):
        draw = _chart
    elif isinstance(what, Branch):
        draw = _branch
    elif isinstance(what, Linearization):
        draw = _eigenvalues
    else:
        raise TypeError(f"plot needs a Motion, a Sweep, a Linearization, a Chart or a Branch, not {type(what).__name__}")
    how = _How(x, colour, None if level is None else float(finite_list(level, "levels")), bool(histogram), bool(log))
    if how.level is not None and how.colour is None:
        raise TypeError("a level is one of the colour, and there is none")
    prepared = draw(what, names, how)
    if ax is None:
        ax = optional("matplotlib.pyplot", "plot()").figure().gca()
    elif not hasattr(ax, "set_xlabel"):
        raise TypeError(f"ax is the axes of a figure, not {type(ax).__name__}")
    try:
        across, upwards = prepared(ax, style)
    except Exception as problem:  # matplotlib's, which has an exception of its own for each style that it does not take
        if not style or isinstance(problem, Error):
            raise
        raise TypeError(f"matplotlib does not take this style: {type(problem).__name__}: {problem}") from problem
    if how.log:
        ax.set_yscale("log")
    if equal:
        ax.set_aspect("equal", adjustable="datalim")
    ax.set_xlabel(across)
    if upwards:
        ax.set_ylabel(upwards)
    return ax


def _curves(across: str, along: np.ndarray, curves: Any, how: _How) -> Any:
    def onto(ax: Any, style: Any) -> Tuple[str, str]:
        for name, values in curves:
            ax.plot(along, how.shown(values), **{"label": name, **style})
        if len(curves) > 1:
            ax.legend()
        return across, curves[0][0] if len(curves) == 1 else ""

    return onto


def _histogram(columns: Any, of: str) -> Any:
    """Over equal parts of the range of all columns: as many as the root of the count, which keeps the noise of a part below its height."""
    if not columns:
        raise TypeError("a histogram is one of a column: name it")
    known = [(name, values[np.isfinite(values)]) for name, values in columns]
    together = np.concatenate([values for _, values in known])
    if not together.size:
        raise Error("bad-model", "no row has a value: there is nothing to draw")
    parts = min(max(math.isqrt(max(len(values) for _, values in columns)), 5), 100)

    def onto(ax: Any, style: Any) -> Tuple[str, str]:
        for name, values in known:
            ax.hist(values, parts, (together.min(), together.max()), **{"histtype": "step", "label": name, **style})
        if len(known) > 1:
            ax.legend()
        return known[0][0] if len(known) == 1 else "value", of

    return onto


def _columns(what: Any, names: Any, known: Any) -> Any:
    return [(name, what[name]) for name in (column_name(name, known) for name in names)]


def _motion(motion: Motion, names: Any, how: _How) -> Any:
    how.only("x", "histogram", "log")
    if how.histogram:
        return _histogram(_columns(motion, names, motion.columns), "samples")
    across = column_name("t" if how.x is None else how.x, motion.columns)
    return _curves(across, motion[across], _columns(motion, names or list(motion.q), motion.columns), how)


def _eigenvalues(found: Linearization, names: Any, how: _How) -> Any:
    how.only("log")
    if names:
        raise TypeError("eigenvalues are drawn over what was varied")
    values, along = found.values, found.along
    curves = [(f"Re {i + 1}", along[:, i].real) for i in range(along.shape[1])]
    curves += [(f"Im {i + 1}", along[:, i].imag) for i in range(along.shape[1]) if (along[:, i].imag > 0).any()]
    return _curves(found["vary"]["name"], values, curves, how)


def _branch(branch: Branch, names: Any, how: _How) -> Any:
    how.only("x", "log")
    columns = branch.columns
    across = column_name(branch.name if how.x is None else how.x, columns)
    if not names:
        ignorable = branch["vary"].get("ignorable", [])
        names = [name for name in columns if name.startswith("max(") and name[4:-1] not in ignorable]
    names = [column_name(name, columns) for name in names]
    happens = branch.kinds != None  # noqa: E711
    undecided = ~branch.stable & ~branch.unstable

    def onto(ax: Any, style: Any) -> Tuple[str, str]:
        for name in names:
            same = {"label": name, **style}
            for verdict, line in ((branch.stable, "-"), (branch.unstable, "--"), (undecided, ":")):
                beside = np.zeros(len(verdict), dtype=bool)  # where something happens both sides meet
                beside[1:] |= verdict[:-1]
                beside[:-1] |= verdict[1:]
                seen = verdict | (happens & beside)
                if not (verdict & ~happens).any():
                    continue
                (drawn,) = ax.plot(columns[across], np.where(seen, how.shown(columns[name]), np.nan), **{"linestyle": line, **same})
                same = {**same, "color": drawn.get_color(), "label": "_"}
            if happens.any():
                ax.plot(columns[across][happens], how.shown(columns[name])[happens], **{**same, "linestyle": "", "marker": "o", "label": "_"})
        if len(names) > 1:
            ax.legend()
        return across, names[0] if len(names) == 1 else ""

    return onto


def _grid(x: np.ndarray, y: np.ndarray) -> bool:
    """Is there a row for every pair of their values?"""
    pairs = set(zip(x.tolist(), y.tolist()))
    return len(pairs) == len(x) == len(np.unique(x)) * len(np.unique(y)) and min(len(np.unique(x)), len(np.unique(y))) > 1


def _sides(shade: np.ndarray, level: Optional[float], style: Any) -> Any:
    """Either side of a level has all its shades, however far it goes."""
    if level is None:
        return style
    from matplotlib.colors import TwoSlopeNorm

    known = shade[np.isfinite(shade)]
    beside = abs(level) * 1e-9 or 1e-9  # where all values lie on one side
    norm = TwoSlopeNorm(level, min(known.min(initial=level), level - beside), max(known.max(initial=level), level + beside))
    return {"cmap": "PuOr_r", "norm": norm, **style}


def _map(ax: Any, x: np.ndarray, y: np.ndarray, z: np.ndarray, label: str, style: Any) -> None:
    drawn = ax.pcolormesh(x, y, z, **{"shading": "nearest", **style})
    ax.figure.colorbar(drawn, ax=ax, label=label)


def _sweep(swept: Sweep, names: Any, how: _How) -> Any:
    how.only("x", "colour", "level", "histogram", "log")
    across = column_name(swept.names[0] if how.x is None else how.x, swept.names)
    columns = _columns(swept, names or [swept.names[swept.inputs.shape[1]]], swept.names)
    if how.histogram:
        return _histogram(columns, "motions")
    along = swept[across]
    colour = None if how.colour is None else column_name(how.colour, swept.names)
    shade = None if colour is None else swept[colour]

    def onto(ax: Any, style: Any) -> Tuple[str, str]:
        name, values = columns[0]
        if shade is None:
            for label, column in columns:
                ax.plot(along, how.shown(column), **{"marker": ".", "linestyle": "", "label": label, **style})
            if len(columns) > 1:
                ax.legend()
            return across, name if len(columns) == 1 else ""
        style = _sides(shade, how.level, style)
        if _grid(along, values) and not how.log:
            order = np.lexsort((along, values))
            wide, high = np.unique(along), np.unique(values)
            over = shade[order].reshape(len(high), len(wide))
            _map(ax, wide, high, over, colour, style)
            if how.level is not None and np.nanmin(over) < how.level < np.nanmax(over):
                ax.contour(wide, high, over, levels=[how.level], colors="black")
        else:
            ax.figure.colorbar(ax.scatter(along, how.shown(values), c=shade, **style), ax=ax, label=colour)
        return across, name

    return onto


def _chart(chart: Chart, names: Any, how: _How) -> Any:
    how.only()
    if names:
        raise TypeError("a chart is drawn over its own names")

    def onto(ax: Any, style: Any) -> Tuple[str, str]:
        most = float(np.nanmax(np.abs(chart.growth), initial=0.0)) or 1.0
        _map(ax, chart.x, chart.y, chart.growth.T, "growth", {"cmap": "RdBu_r", "vmin": -most, "vmax": most, **style})
        if chart.stable.any() and (chart.growing > 0).any():
            ax.contour(chart.x, chart.y, (chart.growing > 0).T.astype(float), levels=[0.5], colors="black")
        return chart.names

    return onto
