"""Answers about what happens beside a motion: small motions about a steady one, charts of stability, branches of periodic ones."""

from __future__ import annotations

from typing import Any, Dict, List, Tuple

import numpy as np

from ._answers import Answer, in_notebooks
from ._errors import Error


class Linearization(Answer):
    """Small motions about a steady one: every key of `cetaev linearize --json`.

    >>> import cetaev
    >>> circle = cetaev.Model("rolling-disc-steady").linearize()
    >>> circle["state"], circle.A.shape
    (['theta', "psi'", "theta'", "phi'"], (4, 4))
    >>> bool(abs(circle.eigenvalues.real).max() < 1e-12)
    True
    """

    @property
    def A(self) -> np.ndarray:  # noqa: N802
        """The matrix of the linear equations.

        >>> import cetaev
        >>> cetaev.Model("rolling-disc-steady").linearize().A.shape
        (4, 4)
        """
        return np.array(self["A"], dtype=float)

    @property
    def eigenvalues(self) -> np.ndarray:
        """As complex numbers.

        >>> import cetaev
        >>> hanging = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 - 2*x^2")
        >>> hanging.linearize().eigenvalues.imag
        array([ 2., -2.])
        """
        return np.array([complex(e["re"], e["im"]) for e in self["eigenvalues"]])

    @property
    def values(self) -> np.ndarray:
        """Of what was varied.

        >>> import cetaev
        >>> hanging = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 - k*x^2/2", parameters={"k": 1})
        >>> hanging.linearize(vary=("k", 1, 2, 3)).values
        array([1. , 1.5, 2. ])
        """
        return np.array(self._varied()["values"], dtype=float)

    @property
    def along(self) -> np.ndarray:
        """The eigenvalues at each of these values: a row of complex numbers each, not numbers where there is no spectrum and
        `["vary"]["diagnosis"]` says why.

        >>> import cetaev
        >>> upright = cetaev.Model("rolling-disc", set={"theta": 0, "theta'": 0, "psi'": 0})
        >>> upright.linearize(vary=("phi'", -5, -1, 9)).along.shape
        (9, 4)
        """
        rows = [[complex(e["re"], e["im"]) for e in row] for row in self._varied()["eigenvalues"]]
        width = max(len(row) for row in rows)
        return np.array([row or [complex("nan")] * width for row in rows])

    def _varied(self) -> Dict[str, Any]:
        if "vary" not in self or "values" not in self["vary"]:
            raise Error("bad-model", "nothing was varied: linearize(vary=(name, from, to, count))")
        return self["vary"]


class Chart(Linearization):
    """Where a steady motion is stable, over two parameters or initial values: arrays with a row for each value of the first, a column for each
    of the second.

    >>> import cetaev
    >>> upright = cetaev.Model("rolling-disc", set={"theta": 0, "theta'": 0, "psi'": 0})
    >>> chart = upright.linearize(vary=[("phi'", -5, -1, 5), ("g", 5, 10, 2)])
    >>> chart.stable[:, 1]  # a thin disc stays upright beyond the rate √(g/3r)
    array([ True,  True,  True, False, False])
    """

    def __init__(self, document: str, text: str, arrays: Dict[str, Any]) -> None:
        super().__init__(document, text)
        self._arrays = arrays

    @property
    def names(self) -> Tuple[str, str]:
        """Of what varies: across, upwards.

        >>> import cetaev
        >>> pushed = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 - (k - m)*x^2/2", parameters={"k": 1, "m": 0})
        >>> pushed.linearize(vary=[("k", 1, 2, 2), ("m", 0, 1.5, 2)]).names
        ('k', 'm')
        """
        (across, _), (upwards, _) = self._arrays["axes"]
        return across, upwards

    @property
    def x(self) -> np.ndarray:
        """The values of the first.

        >>> import cetaev
        >>> pushed = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 - (k - m)*x^2/2", parameters={"k": 1, "m": 0})
        >>> pushed.linearize(vary=[("k", 1, 2, 3), ("m", 0, 1.5, 2)]).x
        array([1. , 1.5, 2. ])
        """
        return self._arrays["axes"][0][1]

    @property
    def y(self) -> np.ndarray:
        """The values of the second.

        >>> import cetaev
        >>> pushed = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 - (k - m)*x^2/2", parameters={"k": 1, "m": 0})
        >>> pushed.linearize(vary=[("k", 1, 2, 3), ("m", 0, 1.5, 2)]).y
        array([0. , 1.5])
        """
        return self._arrays["axes"][1][1]

    @property
    def growth(self) -> np.ndarray:
        """The largest real part of an eigenvalue; NaN where there is no steady motion.

        >>> import cetaev
        >>> pushed = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 - (k - m)*x^2/2", parameters={"k": 1, "m": 0})
        >>> pushed.linearize(vary=[("k", 1, 2, 2), ("m", 0, 1.25, 2)]).growth  # √(m − k), where it is real
        array([[0. , 0.5],
               [0. , 0. ]])
        """
        return self._arrays["growth"]

    @property
    def frequency(self) -> np.ndarray:
        """The imaginary part of that eigenvalue.

        >>> import cetaev
        >>> pushed = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 - (k - m)*x^2/2", parameters={"k": 1, "m": 0})
        >>> abs(pushed.linearize(vary=[("k", 1, 4, 2), ("m", 0, 5, 2)]).frequency)  # √(k − m), where it is real
        array([[1., 0.],
               [2., 0.]])
        """
        return self._arrays["frequency"]

    @property
    def growing(self) -> np.ndarray:
        """How many eigenvalues have positive real parts; −1 where there is no steady motion.

        >>> import cetaev
        >>> pushed = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 - (k - m)*x^2/2", parameters={"k": 1, "m": 0})
        >>> pushed.linearize(vary=[("k", 1, 2, 2), ("m", 0, 1.5, 2)]).growing
        array([[0, 1],
               [0, 0]])
        """
        return self._arrays["growing"]

    @property
    def diagnoses(self) -> np.ndarray:
        """The code of the diagnosis where there is no steady motion, else None.

        >>> import cetaev
        >>> pulled = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 - k*x^2/2 + f*x", parameters={"k": 1, "f": 0})
        >>> pulled.linearize(vary=[("k", 1, 2, 2), ("f", 0, 1, 2)]).diagnoses.tolist()
        [[None, 'not-steady'], [None, 'not-steady']]
        """
        return np.array(self._arrays["diagnoses"], dtype=object).reshape(self.growth.shape)

    @property
    def stable(self) -> np.ndarray:
        """Where nothing grows.

        >>> import cetaev
        >>> pushed = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 - (k - m)*x^2/2", parameters={"k": 1, "m": 0})
        >>> pushed.linearize(vary=[("k", 1, 2, 2), ("m", 0, 1.5, 2)]).stable
        array([[ True, False],
               [ True,  True]])
        """
        return self.growing == 0


class Branch(Answer):
    """Periodic motions along a parameter, an initial value, E or period, in their order along the branch, which may turn back: every key of
    `cetaev periodic --vary --json`, and arrays with an entry for each motion.

    >>> import cetaev
    >>> clock = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 - x^2/2", parameters={"mu": 1}, initial={"x": 2},
    ...                      forces={"x": "mu*(1 - x^2)*x'"})
    >>> cycles = clock.periodic(6.7, vary=("mu", 0.5, 1.5, 3))
    >>> asked = [0.5, 1, 1.5]  # between them there are as many as it took
    >>> [float(cycles.periods[cycles.values == mu][0].round(4)) for mu in asked]
    [6.3807, 6.6633, 7.0964]
    >>> bool(cycles.stable.all()), cycles.multipliers.shape == (len(cycles.values), 2)
    (True, True)
    """

    @property
    def name(self) -> str:
        """Of what varies.

        >>> import cetaev
        >>> pendulum = cetaev.Model("pendulum").periodic(2, vary=("E", -9, 0, 2))
        >>> pendulum.name
        'E'
        """
        return self["vary"]["name"]

    @property
    def values(self) -> np.ndarray:
        """Of what varies.

        >>> import cetaev
        >>> pendulum = cetaev.Model("pendulum").periodic(2, vary=("E", -9, 0, 2))
        >>> bool(pendulum.values[0] == -9), bool(pendulum.values[-1] == 0)
        (True, True)
        """
        return self._numbers("value")

    @property
    def periods(self) -> np.ndarray:
        """Of the motions.

        >>> import cetaev
        >>> pendulum = cetaev.Model("pendulum").periodic(2, vary=("E", -9, 0, 2))
        >>> bool(pendulum.periods[0] < pendulum.periods[-1])  # a wide swing takes longer
        True
        """
        return self._numbers("period")

    @property
    def multipliers(self) -> np.ndarray:
        """By which small differences grow in one period: a row of complex numbers for each motion.

        >>> import cetaev
        >>> pendulum = cetaev.Model("pendulum").periodic(2, vary=("E", -9, 0, 2))
        >>> pendulum.multipliers.shape[1]
        2
        """
        rows = [[complex(m["re"], m["im"]) for m in point["multipliers"]] for point in self["vary"]["points"]]
        width = max(map(len, rows), default=0)
        return np.array([row + [complex(np.nan, np.nan)] * (width - len(row)) for row in rows]).reshape(len(rows), width)

    @property
    def stable(self) -> np.ndarray:
        """Where motions near by stay near; neither this nor `unstable` where that is undecided.

        >>> import cetaev
        >>> pendulum = cetaev.Model("pendulum").periodic(2, vary=("E", -9, 0, 2))
        >>> pendulum.stable.dtype, len(pendulum.stable) == len(pendulum.values)
        (dtype('bool'), True)
        """
        return np.array([point["stable"] is True for point in self["vary"]["points"]], dtype=bool)

    @property
    def unstable(self) -> np.ndarray:
        """Where some motions near by leave.

        >>> import cetaev
        >>> pendulum = cetaev.Model("pendulum").periodic(2, vary=("E", -9, 0, 2))
        >>> bool((pendulum.stable & pendulum.unstable).any())
        False
        """
        return np.array([point["stable"] is False for point in self["vary"]["points"]], dtype=bool)

    @property
    def kinds(self) -> np.ndarray:
        """What happens there (fold, period-doubling, …), else None.

        >>> import cetaev
        >>> pendulum = cetaev.Model("pendulum").periodic(2, vary=("E", -9, 0, 2))
        >>> pendulum.kinds[0] is None
        True
        """
        kinds = np.empty(len(self["vary"]["points"]), dtype=object)
        kinds[:] = [point["kind"] for point in self["vary"]["points"]]
        return kinds

    @property
    def critical(self) -> List[Dict[str, Any]]:
        """Where something happens: the number of the motion, the value, the kind and the multiplier.

        >>> import cetaev
        >>> pendulum = cetaev.Model("pendulum").periodic(2, vary=("E", -9, 0, 2))
        >>> pendulum.critical
        []
        """
        return self["vary"]["critical"]

    def __init__(self, document: str, text: str, table: str) -> None:
        super().__init__(document, text)
        self._table = table

    @property
    def columns(self) -> Dict[str, np.ndarray]:
        """By the names of `cetaev periodic --out FILE.csv`: what varies, T, E, the state where the motion begins, min(…) and max(…) of every
        coordinate along it, re1, im1, … of the multipliers, stable (1, 0, or NaN where that is undecided).

        >>> import cetaev
        >>> list(cetaev.Model("pendulum").periodic(2, vary=("E", -9, 0, 2)).columns)[:5]
        ['E', 'T', 'x', 'y', "x'"]
        """
        head, *lines = self._table.splitlines()
        rows = [[float(cell or "nan") for cell in line.split(",")[:-1]] for line in lines]  # the last has words: `kinds`
        table = np.array(rows, dtype=float).reshape(len(rows), -1)
        return {name: table[:, i] for i, name in enumerate(head.split(",")[:-1])}

    def _numbers(self, *keys: str) -> np.ndarray:
        found: List[Any] = []
        for point in self["vary"]["points"]:
            for key in keys:
                point = point[key]
            found.append(point)
        return np.array(found, dtype=float)


class LinearEquations(Answer):
    """Small motions about a steady one: every key of `cetaev derive --linear --format json`.

    >>> import cetaev
    >>> cetaev.Model("pendulum", set={"x": 0, "y": -1, "x'": 0}).linear()["M"]
    [['m']]
    """

    def __init__(self, document: str, text: str, latex: str) -> None:
        super().__init__(document, text)
        self._latex = latex

    @property
    def latex(self) -> str:
        """The matrices; needs amsmath.

        >>> import cetaev
        >>> "pmatrix" in cetaev.Model("rolling-disc-vertical").linear().latex
        True
        """
        return self._latex

    def sympy(self, *keys: Any) -> Any:
        """The matrices M, C and K in SymPy, by their names; or, of keys, what stands there.

        >>> import cetaev
        >>> cetaev.Model("rolling-disc-vertical").linear().sympy()["M"]
        Matrix([
        [J,          0],
        [0, I + m*r**2]])
        """
        from ._sympy import matrix

        if keys:
            return super().sympy(*keys)
        return {name: matrix(self[name]) for name in ("M", "C", "K")}

    _repr_html_ = None  # notebooks would take it before the formulas

    def _repr_latex_(self) -> str:
        return in_notebooks(self.latex)
