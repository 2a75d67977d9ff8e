"""Figures on matplotlib."""

from __future__ import annotations

from typing import Any, Callable, Optional, Tuple, Union

import numpy as np

from ._answers import Branch, Chart, Linearization
from ._motion import Motion
from ._sweep import Sweep


def plot(
    what: Union[Motion, Sweep, Linearization, Branch],
    *names: Any,
    x: Any = None,
    colour: Any = None,
    ax: Optional[Any] = None,
    **style: Any,
) -> Any:
    """A figure of a motion, of a sweep, of eigenvalues along a parameter, of a chart of stability, or of a branch of periodic motions. Hands
    back the axes of matplotlib.

    Columns of a motion are curves over time, or over another column `x`; the positions where none is named. `plot(motion, "y", x="x")` is
    the path. The motions of a sweep are points over what varies first, their colour the value of the column `colour`; where `x` and the
    column named are a grid, a map of it. A chart is a map of its growth with the line where it begins. Columns of a branch are
    curves over what varies, the largest values of the coordinates that come back where none is named: full where the motions are stable,
    dashed where they are not, dotted where that is undecided, with a dot where something happens. The `style` is matplotlib's.

    >>> import cetaev
    >>> motion = cetaev.Model("skate").run(t_end=10)
    >>> axes = cetaev.plot(motion, "y", x="x")
    >>> axes.get_xlabel(), axes.get_ylabel()
    ('x', 'y')
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
    prepared = draw(what, [str(name) for name in names], x, colour)
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.figure().gca()
    across, upwards = prepared(ax, style)
    ax.set_xlabel(across)
    if upwards:
        ax.set_ylabel(upwards)
    return ax


def _curves(across: str, along: np.ndarray, curves: Any) -> Any:
    def onto(ax: Any, style: Any) -> Tuple[str, str]:
        for name, values in curves:
            ax.plot(along, values, **{"label": name, **style})
        if len(curves) > 1:
            ax.legend()
        return across, curves[0][0] if len(curves) == 1 else ""

    return onto


def _motion(motion: Motion, names: Any, x: Any, colour: Any) -> Any:
    if colour is not None:
        raise TypeError("the curves of a motion have no column for their colour")
    across = "t" if x is None else str(x)
    return _curves(across, motion[across], [(name, motion[name]) for name in names or list(motion.q)])


def _eigenvalues(found: Linearization, names: Any, x: Any, colour: Any) -> Any:
    if names or x is not None or colour is not None:
        raise TypeError("eigenvalues are drawn over what was varied")
    values, along = found.values, found.along
    curves = [(f"Re {i + 1}", along[:, i].real) for i in range(along.shape[1])]
    curves += [(f"Im {i + 1}", along[:, i].imag) for i in range(along.shape[1]) if (along[:, i].imag > 0).any()]
    return _curves(found["vary"]["name"], values, curves)


def _branch(branch: Branch, names: Any, x: Any, colour: Any) -> Any:
    if colour is not None:
        raise TypeError("the curves of a branch have no column for their colour")
    columns, across = branch.columns, branch.name if x is None else str(x)
    if not names:
        ignorable = branch["vary"].get("ignorable", [])
        names = [name for name in columns if name.startswith("max(") and name[4:-1] not in ignorable]
    for name in (across, *names):
        if name not in columns:
            raise KeyError(f"there is no column {name}; there are {', '.join(columns)}")
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
                (drawn,) = ax.plot(columns[across], np.where(seen, columns[name], np.nan), **{"linestyle": line, **same})
                same = {**same, "color": drawn.get_color(), "label": "_"}
            if happens.any():
                ax.plot(columns[across][happens], columns[name][happens], **{**same, "linestyle": "", "marker": "o", "label": "_"})
        if len(names) > 1:
            ax.legend()
        return across, names[0] if len(names) == 1 else ""

    return onto


def _grid(x: np.ndarray, y: np.ndarray) -> bool:
    """Is there a row for every pair of their values?"""
    pairs = set(zip(x.tolist(), y.tolist()))
    return len(pairs) == len(x) == len(np.unique(x)) * len(np.unique(y)) and min(len(np.unique(x)), len(np.unique(y))) > 1


def _map(ax: Any, x: np.ndarray, y: np.ndarray, z: np.ndarray, label: str, style: Any) -> None:
    drawn = ax.pcolormesh(x, y, z, **{"shading": "nearest", **style})
    ax.figure.colorbar(drawn, ax=ax, label=label)


def _sweep(swept: Sweep, names: Any, x: Any, colour: Any) -> Any:
    across = swept.names[0] if x is None else str(x)
    chosen = names or [swept.names[swept.inputs.shape[1]]]
    columns = [(name, swept[name]) for name in chosen]
    along = swept[across]
    shade = None if colour is None else swept[str(colour)]

    def onto(ax: Any, style: Any) -> Tuple[str, str]:
        name, values = columns[0]
        if shade is None:
            for label, column in columns:
                ax.plot(along, column, **{"marker": ".", "linestyle": "", "label": label, **style})
            if len(columns) > 1:
                ax.legend()
        elif _grid(along, values):
            order = np.lexsort((along, values))
            wide, high = np.unique(along), np.unique(values)
            _map(ax, wide, high, shade[order].reshape(len(high), len(wide)), str(colour), style)
        else:
            ax.figure.colorbar(ax.scatter(along, values, c=shade, **style), ax=ax, label=str(colour))
        return across, name if len(columns) == 1 else ""

    return onto


def _chart(chart: Chart, names: Any, x: Any, colour: Any) -> Any:
    if names or x is not None or colour is not None:
        raise TypeError("a chart is drawn over its own names")

    def onto(ax: Any, style: Any) -> Tuple[str, str]:
        most = float(np.nanmax(np.abs(chart.growth), initial=0.0)) or 1.0
        _map(ax, chart.x, chart.y, chart.growth.T, "growth", {"cmap": "RdBu_r", "vmin": -most, "vmax": most, **style})
        if chart.stable.any() and (chart.growing > 0).any():
            ax.contour(chart.x, chart.y, (chart.growing > 0).T.astype(float), levels=[0.5], colors="black")
        return chart.names

    return onto
