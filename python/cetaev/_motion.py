"""Motions as arrays."""

from __future__ import annotations

import json
from typing import Any, Dict, Iterator, List, Mapping, Optional

import numpy as np

from . import _native
from ._answers import Answer
from ._arguments import Path, column_name, numbers, path_text
from ._checked import optional
from ._errors import Error
from ._show import escape


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


class States:
    """States of a motion at some times: `t`, `q["x"]`, `v["x"]`, in the shape of the times; numbers for one time.

    >>> import cetaev
    >>> states = cetaev.Model("skate").run(t_end=1)([0.25, 0.5])
    >>> states.q["phi"].round(12), states.v["phi"].shape
    (array([0.325, 0.65 ]), (2,))
    """

    t: np.ndarray
    q: Columns
    v: Columns

    def __init__(self, names: List[str], t: np.ndarray, rows: np.ndarray) -> None:
        self.t = t
        columns = [rows[:, i].reshape(t.shape)[()] for i in range(2 * len(names))]
        self.q = Columns(names, columns[: len(names)])
        self.v = Columns(names, columns[len(names) :])

    def __repr__(self) -> str:
        return f"<States of {', '.join(self.q)} at t = {self.t}>"


class Variation:
    """How the samples of a motion change with a parameter or an initial value: `q["x"]`, `v["x"]`.

    >>> import cetaev
    >>> motion = cetaev.Model("skate").run(t_end=1, samples=3, variations=["phi'"])
    >>> motion.variations["phi'"].q["phi"].round(12)  # phi = phi' t
    array([0. , 0.5, 1. ])
    """

    q: Columns
    v: Columns

    def __init__(self, q: Columns, v: Columns) -> None:
        self.q = q
        self.v = v


class Motion:
    """A motion that was computed: samples as NumPy arrays, and a function of time.

    >>> import cetaev
    >>> motion = cetaev.Model("skate").run(t_end=2, samples=5)
    >>> motion.t
    array([0. , 0.5, 1. , 1.5, 2. ])
    >>> motion.status
    'finished'
    >>> abs(motion(1.0).q["x"] - motion.q["x"][2]) < 1e-12
    True

    The arrays are the memory of the library, which they keep alive; nothing is copied, and they cannot be written to.
    """

    t: np.ndarray
    """The times of the samples."""
    q: Columns
    """Positions: q["x"]."""
    v: Columns
    """Velocities: v["x"]."""
    E: np.ndarray
    """The energy v·∂L/∂v − L."""
    residual: np.ndarray
    """The largest residual of a constraint."""
    multipliers: List[np.ndarray]
    """One for each scalar constraint."""
    outputs: Columns
    """The [outputs] of the model: outputs["spin"], outputs["force.x"]."""
    variations: Dict[str, Variation]
    """Derivatives by what `run` was told to vary: variations["m"].q["x"] is ∂x/∂m."""

    def __init__(self, native: Any) -> None:
        self._native = native
        self._about: Dict[str, Any] = native.about()
        self._name: str = self._about["name"]
        names = self._about["coordinates"]
        columns = native.columns()
        self.t, self.E, self.residual = columns["t"], columns["E"], columns["residual"]
        self.q = Columns(names, columns["q"])
        self.v = Columns(names, columns["v"])
        self.multipliers = columns["multipliers"]
        self.outputs = Columns(self._about["outputs"], columns["outputs"])
        varied, n = columns["variations"], len(names)
        self.variations = {
            by: Variation(*(Columns(names, varied[n * k : n * (k + 1)]) for k in (2 * i, 2 * i + 1)))
            for i, by in enumerate(self._about["varied"])
        }
        # by their names, as CSV files have them: the reader of models has no coordinate and no output by the name of another column
        self._all: Dict[str, np.ndarray] = {
            "t": self.t,
            **self.q,
            **{name + "'": column for name, column in self.v.items()},
            **{f"lambda{i + 1}": column for i, column in enumerate(self.multipliers)},
            "E": self.E,
            "residual": self.residual,
            **self.outputs,
        }
        self._summary: Optional[Dict[str, Any]] = None

    def __reduce__(self) -> Any:
        raise TypeError("a motion is not pickled: it is the memory of the library; to_dataframe(), to_xarray() and FILE.h5 of run(out=…) go elsewhere")

    @property
    def status(self) -> str:
        """`finished`, `singular`, `event` or `failed`.

        >>> import cetaev
        >>> cetaev.Model("skate").run(t_end=1).status
        'finished'
        """
        return self._about["status"]

    @property
    def summary(self) -> Dict[str, Any]:
        """Every key of `cetaev run --json`: the last state, steps, energy drift, form and method, …

        >>> import cetaev
        >>> cetaev.Model("skate").run(t_end=1).summary["q"]["phi"]
        1.3
        """
        if self._summary is None:
            self._summary = json.loads(self._native.written("json"))
        return self._summary

    @property
    def events(self) -> Dict[str, np.ndarray]:
        """The times at which each event of the model came.

        >>> import cetaev
        >>> swinging = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 - x^2/2", initial={"x": 1}, events={"zero": {"when": "x"}})
        >>> swinging.run(t_end=6).events["zero"].round(6)
        array([1.570796, 4.712389])
        """
        return self._about["events"]

    @property
    def diagnosis(self) -> Optional[Error]:
        """Why it ended before its time, on `singular` and `failed`.

        >>> import cetaev
        >>> cetaev.Model("appell-hamel").run(t_end=1.3).diagnosis.code
        'rank-lost'
        """
        try:
            self._native.raise_diagnosis()
        except Error as error:
            return error
        return None

    def raise_for_status(self) -> "Motion":
        """Itself, or the diagnosis of a motion that failed as an exception.

        >>> import cetaev
        >>> cetaev.Model("skate").run(t_end=1, samples=3).raise_for_status().status
        'finished'
        """
        if self.status == "failed":
            self._native.raise_diagnosis()
        return self

    def __call__(self, t: Any) -> States:
        """The states at any times between the first and the last, to the accuracy of the integration.

        >>> import cetaev, numpy
        >>> motion = cetaev.Model("skate").run(t_end=2)
        >>> motion(numpy.linspace(0, 2, 7)).v["phi"].shape
        (7,)
        """
        times = numbers(t, "times")
        return States(list(self.q), times, self._native.at(times.reshape(-1)))

    @property
    def columns(self) -> List[str]:
        """The names of all columns, as CSV files have them.

        >>> import cetaev
        >>> cetaev.Model("pendulum").run(t_end=1).columns
        ['t', 'x', 'y', "x'", "y'", 'lambda1', 'E', 'residual']
        """
        return list(self._all)

    def __getitem__(self, name: Any) -> np.ndarray:
        """A column by its name: motion["x'"], motion["E"].

        >>> import cetaev
        >>> motion = cetaev.Model("skate").run(t_end=1, samples=3)
        >>> (motion["phi'"] == motion.v["phi"]).all()
        True
        """
        return self._all[column_name(name, self._all)]

    def __len__(self) -> int:
        return len(self.t)

    def to_dataframe(self) -> Any:
        """A pandas DataFrame with t as its index and the other columns of the CSV file.

        >>> import cetaev
        >>> cetaev.Model("skate").run(t_end=1, samples=3).to_dataframe().shape
        (3, 9)
        """
        pandas = optional("pandas", "to_dataframe()")
        return pandas.DataFrame({name: self[name] for name in self.columns[1:]}, index=pandas.Index(self.t, name="t"))

    def to_xarray(self) -> Any:
        """An xarray Dataset along t.

        >>> import cetaev
        >>> cetaev.Model("skate").run(t_end=1, samples=3).to_xarray().attrs["status"]
        'finished'
        """
        xarray = optional("xarray", "to_xarray()")
        return xarray.Dataset(
            {name: ("t", self[name]) for name in self.columns[1:]},
            coords={"t": self.t},
            attrs={"model": self._about["name"], "status": self.status},
        )

    def __str__(self) -> str:
        return self._native.written("text").rstrip("\n")

    def __repr__(self) -> str:
        return f"<Motion of {self._name}: {self.status} at t = {self.t[-1]:.6g}, {len(self)} samples>"

    def page(self) -> str:
        """The animated picture as an HTML page of its own.

        >>> import cetaev
        >>> cetaev.Model("skate").run(t_end=1).page().startswith("<!DOCTYPE html>")
        True
        """
        return self._native.written("stage")

    def _repr_html_(self) -> str:
        # A frame of its own: the scripts and the style of the page stay apart from those of the notebook.
        return (
            f'<iframe srcdoc="{escape(self.page())}" sandbox="allow-scripts" title="The motion of '
            f'{escape(self._name)}" style="width: 100%; height: 560px; border: 0"></iframe>'
        )


class Inverse(Answer):
    """A motion that a system was made to follow, and the forces that do it: every key of `cetaev inverse --json`, and arrays.

    >>> import cetaev
    >>> spring = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 - 2*x^2")
    >>> held = spring.inverse({"x": "sin(2*t)"}, t_end=3, samples=4)  # its own motion needs no force
    >>> bool(abs(held.forces["x"]).max() < 1e-12)
    True
    """

    t: np.ndarray
    """The times of the samples."""
    q: Columns
    """Positions: q["x"]."""
    v: Columns
    """Velocities: v["x"]."""
    forces: Columns
    """What follows each equation of the motion, by its left side: forces["x"]."""
    powers: Columns
    """And the power it has."""

    def __init__(self, coordinates: List[str], document: str, text: str, arrays: Dict[str, Any]) -> None:
        super().__init__(document, text)
        self.t = arrays["t"]
        self.q = Columns(coordinates, arrays["q"])
        self.v = Columns(coordinates, arrays["v"])
        self.forces = Columns(list(arrays["forces"]), list(arrays["forces"].values()))
        self.powers = Columns(list(arrays["powers"]), list(arrays["powers"].values()))


def read_motion(path: Path) -> Columns:
    """The columns of a motion that `run` has written to FILE.csv or FILE.h5; NaN where a value does not exist.

    >>> import cetaev, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     motion = cetaev.Model("skate").run(t_end=1, samples=3, out=folder + "/skate.csv")
    ...     (cetaev.read_motion(folder + "/skate.csv")["x"] == motion.q["x"]).all()
    True
    """
    columns = _native.read_columns(path_text(path, "a motion"))
    return Columns(list(columns), list(columns.values()))
