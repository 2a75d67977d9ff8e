"""Arrays by their names."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Mapping

import numpy as np

from ._arguments import column_name


class Columns(Mapping[str, np.ndarray]):
    """Arrays by the names of coordinates, in the order of the model.

    >>> import cetaev
    >>> motion = cetaev.Model("skate").run(t_end=1, samples=3)
    >>> list(motion.q), motion.q["phi"]
    (['x', 'y', 'phi'], array([0.  , 0.65, 1.3 ]))
    """

    def __init__(self, names: List[str], arrays: List[np.ndarray]) -> None:
        self._arrays = dict(zip(names, arrays))

    # Arrays are not equal or different as a whole.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __getitem__(self, name: Any) -> np.ndarray:
        return self._arrays[column_name(name, self._arrays)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __repr__(self) -> str:
        return f"<columns {', '.join(self._arrays)}>"


class Values(Dict[str, float]):
    """Numbers by their names, of what does not change: a dictionary that says so when it is written to."""

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise TypeError("these values do not change: set(…) of a model gives another one, and a function is called with others")

    __setitem__ = __delitem__ = __ior__ = _refuse  # type: ignore[assignment]
    clear = pop = popitem = setdefault = update = _refuse  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return dict, (dict(self),)


class States(Mapping[str, Any]):
    """States of a motion at some times: `t`, `q["x"]`, `v["x"]`, in the shape of the times; numbers for one time.

    >>> import cetaev
    >>> skate = cetaev.Model("skate")
    >>> states = skate.run(t_end=1)([0.25, 0.5])
    >>> states.q["phi"].round(12), states.v["phi"].shape
    (array([0.325, 0.65 ]), (2,))

    By the names of columns they are a dictionary, so that a motion can begin with one:

    >>> float(skate.set(skate.run(t_end=1)(0.5)).run(t_end=1).q["phi"][0].round(12))
    0.65
    """

    __eq__ = object.__eq__  # arrays are not equal or different as a whole
    __hash__ = object.__hash__

    def __init__(self, names: List[str], t: np.ndarray, rows: np.ndarray) -> None:
        self._t = t
        columns = [rows[:, i].reshape(t.shape)[()] for i in range(2 * len(names))]
        self._q = Columns(names, columns[: len(names)])
        self._v = Columns(names, columns[len(names) :])
        self._all = {"t": t[()], **self._q, **{q + "'": column for q, column in self._v.items()}}

    @property
    def t(self) -> np.ndarray:
        """The times.

        >>> import cetaev
        >>> cetaev.Model("skate").run(t_end=1)([0.25, 0.5]).t
        array([0.25, 0.5 ])
        """
        return self._t

    @property
    def q(self) -> Columns:
        """Positions by the names of coordinates.

        >>> import cetaev
        >>> float(cetaev.Model("skate").run(t_end=1)(0.5).q["phi"].round(12))
        0.65
        """
        return self._q

    @property
    def v(self) -> Columns:
        """Velocities by the names of coordinates.

        >>> import cetaev
        >>> float(cetaev.Model("skate").run(t_end=1)(0.5).v["phi"].round(12))
        1.3
        """
        return self._v

    def __getitem__(self, name: Any) -> np.ndarray:
        """A column by its name, as a motion has them: t, positions, velocities.

        >>> import cetaev
        >>> states = cetaev.Model("skate").run(t_end=1)([0.25, 0.5])
        >>> states["phi'"] is states.v["phi"]
        True
        """
        return self._all[column_name(name, self._all)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __repr__(self) -> str:
        return f"<States of {', '.join(self.q)} at t = {self.t}>"


class Variation:
    """How the samples of a motion change with a parameter or an initial value: `q["x"]`, `v["x"]`.

    >>> import cetaev
    >>> motion = cetaev.Model("skate").run(t_end=1, samples=3, variations=["phi'"])
    >>> motion.variations["phi'"].q["phi"].round(12)  # phi = phi' t
    array([0. , 0.5, 1. ])
    """

    def __init__(self, q: Columns, v: Columns) -> None:
        self._q = q
        self._v = v

    @property
    def q(self) -> Columns:
        """Of positions.

        >>> import cetaev
        >>> varied = cetaev.Model("skate").run(t_end=1, samples=3, variations=["phi'"]).variations["phi'"]
        >>> varied.q["phi"].round(12)
        array([0. , 0.5, 1. ])
        """
        return self._q

    @property
    def v(self) -> Columns:
        """Of velocities.

        >>> import cetaev
        >>> varied = cetaev.Model("skate").run(t_end=1, samples=3, variations=["phi'"]).variations["phi'"]
        >>> varied.v["phi"].round(12)
        array([1., 1., 1.])
        """
        return self._v
