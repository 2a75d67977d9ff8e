"""Motions as arrays."""

from __future__ import annotations

import json
from typing import Any, Dict, Iterator, List, Optional

import numpy as np

from . import _native
from ._answers import Answer
from ._arguments import Path, column_name, holds, numbers, path_text
from ._checked import optional
from ._columns import Columns, States, Variation
from ._errors import Error
from ._show import escape


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

    The arrays are the memory of the library, which they keep alive; nothing is copied, and they cannot be written to. Pickled, the motion is a copy
    of them, and is computed again where it is asked for what lies between the samples.
    """

    def __init__(self, native: Any, made: Any) -> None:
        self._computed = native
        self._made = made  # the model, and what was asked of it
        self._written: Dict[str, str] = {}
        self._take(native.about(), native.columns())

    def _take(self, about: Dict[str, Any], columns: Dict[str, Any]) -> None:
        self._about = about
        self._columns = columns
        self._name: str = about["name"]
        names = about["coordinates"]
        self._q = Columns(names, columns["q"])
        self._v = Columns(names, columns["v"])
        self._outputs = Columns(about["outputs"], columns["outputs"])
        varied, n = columns["variations"], len(names)
        self._variations = {
            by: Variation(*(Columns(names, varied[n * k : n * (k + 1)]) for k in (2 * i, 2 * i + 1)))
            for i, by in enumerate(about["varied"])
        }
        # by their names, as CSV files have them: the reader of models has no coordinate and no output by the name of another column
        self._all: Dict[str, np.ndarray] = {
            "t": columns["t"],
            **self._q,
            **{name + "'": column for name, column in self._v.items()},
            **{f"lambda{i + 1}": column for i, column in enumerate(columns["multipliers"])},
            "E": columns["E"],
            "residual": columns["residual"],
            **self._outputs,
        }

    def __getstate__(self) -> Any:
        told = {how: self._as(how) for how in ("json", "text")}
        return self._made, self._about, self._columns, told, self.diagnosis

    def __setstate__(self, state: Any) -> None:
        """In another process: the arrays and the summary as they were. What else is asked has the motion computed again, once."""
        self._made, about, columns, self._written, self._diagnosis = state
        self._computed = None
        self._take(about, columns)
        for column in (*self._all.values(), *columns["variations"]):
            column.setflags(write=False)

    @property
    def _native(self) -> Any:
        if self._computed is None:
            model, asked, section = self._made
            self._computed = model._moved(asked, section)
        return self._computed

    def _as(self, how: str) -> str:
        if how not in self._written:
            self._written[how] = self._native.written(how)
        return self._written[how]

    @property
    def t(self) -> np.ndarray:
        """The times of the samples.

        >>> import cetaev
        >>> cetaev.Model("skate").run(t_end=2, samples=5).t
        array([0. , 0.5, 1. , 1.5, 2. ])
        """
        return self._all["t"]

    @property
    def q(self) -> Columns:
        """Positions by the names of coordinates.

        >>> import cetaev
        >>> cetaev.Model("skate").run(t_end=1, samples=3).q["phi"]
        array([0.  , 0.65, 1.3 ])
        """
        return self._q

    @property
    def v(self) -> Columns:
        """Velocities by the names of coordinates.

        >>> import cetaev
        >>> cetaev.Model("skate").run(t_end=1, samples=3).v["phi"]
        array([1.3, 1.3, 1.3])
        """
        return self._v

    @property
    def E(self) -> np.ndarray:  # noqa: N802
        """The energy v·∂L/∂v − L.

        >>> import cetaev
        >>> cetaev.Model("skate").run(t_end=1, samples=3).E.round(12)
        array([0.845, 0.845, 0.845])
        """
        return self._all["E"]

    @property
    def residual(self) -> np.ndarray:
        """The largest residual of a constraint.

        >>> import cetaev
        >>> bool(cetaev.Model("skate").run(t_end=1).residual.max() < 1e-12)
        True
        """
        return self._all["residual"]

    @property
    def multipliers(self) -> List[np.ndarray]:
        """One for each scalar constraint.

        >>> import cetaev
        >>> tension = cetaev.Model("pendulum").run(t_end=1, samples=3).multipliers
        >>> len(tension), tension[0].shape
        (1, (3,))
        """
        return list(self._columns["multipliers"])

    @property
    def outputs(self) -> Columns:
        """The [outputs] of the model: outputs["spin"], outputs["force.x"].

        >>> import cetaev
        >>> free = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2", initial={"x'": 2}, outputs={"twice": "2*x"})
        >>> free.run(t_end=1, samples=3).outputs["twice"]
        array([0., 2., 4.])
        """
        return self._outputs

    @property
    def variations(self) -> Dict[str, Variation]:
        """Derivatives by what `run` was told to vary: variations["m"].q["x"] is ∂x/∂m.

        >>> import cetaev
        >>> varied = cetaev.Model("skate").run(t_end=1, samples=3, variations=["g", "phi'"]).variations
        >>> list(varied), varied["phi'"].q["phi"].round(12)
        (['g', "phi'"], array([0. , 0.5, 1. ]))
        """
        return dict(self._variations)

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
        return json.loads(self._as("json"))

    @property
    def events(self) -> Dict[str, np.ndarray]:
        """The times at which each event of the model came.

        >>> import cetaev
        >>> swinging = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 - x^2/2", initial={"x": 1}, events={"zero": {"when": "x"}})
        >>> swinging.run(t_end=6).events["zero"].round(6)
        array([1.570796, 4.712389])
        """
        return {name: times.copy() for name, times in self._about["events"].items()}

    @property
    def diagnosis(self) -> Optional[Error]:
        """Why it ended before its time, on `singular` and `failed`.

        >>> import cetaev
        >>> cetaev.Model("appell-hamel").run(t_end=1.3).diagnosis.code
        'rank-lost'
        """
        if self._computed is None:
            return self._diagnosis
        try:
            self._computed.raise_diagnosis()
        except Error as error:
            return error
        return None

    def raise_for_status(self) -> "Motion":
        """Itself, or the diagnosis of a motion that failed as an exception.

        >>> import cetaev
        >>> cetaev.Model("skate").run(t_end=1, samples=3).raise_for_status().status
        'finished'
        """
        if self.status == "failed" and self.diagnosis is not None:
            raise self.diagnosis
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

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)  # as of a data frame, whose length is that of its columns, too

    def __contains__(self, name: Any) -> bool:
        return holds(self._all, name)

    def __copy__(self) -> "Motion":
        return self  # which never changes

    def __deepcopy__(self, memo: Any) -> "Motion":
        return self

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
        return self._as("text").rstrip("\n")

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

    def __init__(self, coordinates: List[str], document: str, text: str, arrays: Dict[str, Any]) -> None:
        super().__init__(document, text)
        self._t = arrays["t"]
        self._q = Columns(coordinates, arrays["q"])
        self._v = Columns(coordinates, arrays["v"])
        self._forces = Columns(list(arrays["forces"]), list(arrays["forces"].values()))
        self._powers = Columns(list(arrays["powers"]), list(arrays["powers"].values()))

    @property
    def t(self) -> np.ndarray:
        """The times of the samples.

        >>> import cetaev
        >>> free = cetaev.Model(coordinates=["x"], lagrangian="3*x'^2/2")
        >>> free.inverse({"x": "t^2"}, t_end=1, samples=3).t
        array([0. , 0.5, 1. ])
        """
        return self._t

    @property
    def q(self) -> Columns:
        """Positions by the names of coordinates.

        >>> import cetaev
        >>> free = cetaev.Model(coordinates=["x"], lagrangian="3*x'^2/2")
        >>> free.inverse({"x": "t^2"}, t_end=1, samples=3).q["x"]
        array([0.  , 0.25, 1.  ])
        """
        return self._q

    @property
    def v(self) -> Columns:
        """Velocities by the names of coordinates.

        >>> import cetaev
        >>> free = cetaev.Model(coordinates=["x"], lagrangian="3*x'^2/2")
        >>> free.inverse({"x": "t^2"}, t_end=1, samples=3).v["x"]
        array([0., 1., 2.])
        """
        return self._v

    @property
    def forces(self) -> Columns:
        """What follows each equation of the motion, by its left side.

        >>> import cetaev
        >>> free = cetaev.Model(coordinates=["x"], lagrangian="3*x'^2/2")
        >>> free.inverse({"x": "t^2"}, t_end=1, samples=3).forces["x"]
        array([6., 6., 6.])
        """
        return self._forces

    @property
    def powers(self) -> Columns:
        """And the power it has.

        >>> import cetaev
        >>> free = cetaev.Model(coordinates=["x"], lagrangian="3*x'^2/2")
        >>> free.inverse({"x": "t^2"}, t_end=1, samples=3).powers["x"]
        array([ 0.,  6., 12.])
        """
        return self._powers


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
