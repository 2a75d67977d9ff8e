"""Answers of a model: the documents of the command line's JSON, which know how to show themselves."""

from __future__ import annotations

import json
from typing import Any, Dict, Iterator, List, Sequence, Tuple

import numpy as np

from . import _native
from ._errors import Error
from ._show import escape
from ._trees import from_flat


# What TeX has commands for in a text.
_SIGNS = {"\\v{C}": "Č", "\\v{c}": "č", "--": "–", "\\textasciicircum{}": "^", "\\textasciitilde{}": "~", "'{}'": "''", "\\_": "_", "\\%": "%", "\\&": "&", "\\#": "#"}


def _in_notebooks(latex: str) -> str:
    """As notebooks take it, which know formulas and no pages: headings are formulas, too, and words are plain."""
    import re

    inside = r"((?:[^{}]|\{[^{}]*\})*)"
    symbol = re.compile(r"\\ensuremath\{" + inside + r"\}")
    text = "\n".join(line for line in latex.splitlines() if line and not line.startswith("%"))
    text = re.sub(r"\\text\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}", lambda words: symbol.sub(r"$\1$", words.group()), text)
    lines = []
    for line in text.splitlines():
        words, count = re.subn(r"^\\par(?:\\medskip)?\\noindent ?", "", line)
        if count or line.startswith(("The ", "This ", "They ", "where")):
            words = symbol.sub(r"$\1$", re.sub(r"\\texttt\{" + inside + r"\}", r"\1", words))
            for command, sign in _SIGNS.items():
                words = words.replace(command, sign)
            words = re.sub(r"^\\textbf\{(.*)\}$", r"$\\textbf{\1}$", words)
        lines.append(symbol.sub(r"\1", words))
    return "\n".join(lines)


def _at(document: Any, keys: Tuple[Any, ...]) -> Any:
    """What stands there."""
    for depth, key in enumerate(keys):
        if not isinstance(key, (str, int)):
            raise TypeError(f"keys are names and numbers, not {type(key).__name__}")
        try:
            document = document[key]
        except (KeyError, IndexError, TypeError):
            raise Error("unknown-name", f"the answer has nothing at {keys[: depth + 1]!r}") from None
    return document


class Answer(Dict[str, Any]):
    """A JSON document of the command line as a dictionary, with its text for people.

    >>> import cetaev
    >>> here = cetaev.Model("skate").eval("multipliers")
    >>> here["rank"]
    1
    >>> print(here.text.splitlines()[0])
    Skate on an inclined plane
    """

    text: str
    """What the command line prints."""

    def __init__(self, document: str, text: str) -> None:
        super().__init__(json.loads(document))
        self.text = text

    _coordinates: Sequence[str] = ()

    def sympy(self, *keys: Any) -> Any:
        """What stands at these keys in SymPy: a text in the language of model files, or a list or dictionary of such texts.

        >>> import cetaev
        >>> check = cetaev.Model("skate").check()
        >>> check.sympy("first_integrals", 0, "expression")
        J*Derivative(phi(t), t)
        >>> check.sympy("symmetry", "fields")
        [{'y': 1}]
        """
        from ._sympy import parsed

        here = self.get("q")
        return parsed(_at(self, keys), self._coordinates or (list(here) if isinstance(here, dict) else []))

    def __str__(self) -> str:
        return self.text.rstrip("\n")

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


class Check(Answer):
    """What kind of system a model is: every key of `cetaev check --json`.

    >>> import cetaev
    >>> check = cetaev.Model("skate").check()
    >>> check["set"]["degrees_of_freedom"], check["energy"]["conserved"]
    (2, True)
    >>> print(check.sentences[1])
    The constraint is linear in the velocities; its rank is 1.
    """

    sentences: List[str]
    """The verdicts in words."""

    def __init__(self, document: str, text: str, *sentences: str) -> None:
        super().__init__(document, text)
        self.sentences = list(sentences)

    def _repr_html_(self) -> str:
        return "<ul>" + "".join(f"<li>{escape(s)}</li>" for s in self.sentences) + "</ul>"


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

    names: Tuple[str, str]
    """Of what varies: across, upwards."""
    x: np.ndarray
    """The values of the first."""
    y: np.ndarray
    """The values of the second."""
    growth: np.ndarray
    """The largest real part of an eigenvalue; NaN where there is no steady motion."""
    frequency: np.ndarray
    """The imaginary part of that eigenvalue."""
    growing: np.ndarray
    """How many eigenvalues have positive real parts; −1 where there is no steady motion."""
    diagnoses: np.ndarray
    """The code of the diagnosis where there is no steady motion, else None."""

    def __init__(self, document: str, text: str, arrays: Dict[str, Any]) -> None:
        super().__init__(document, text)
        (across, self.x), (upwards, self.y) = arrays["axes"]
        self.names = (across, upwards)
        self.growth, self.frequency, self.growing = arrays["growth"], arrays["frequency"], arrays["growing"]
        self.diagnoses = np.array(arrays["diagnoses"], dtype=object).reshape(self.growth.shape)

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


class PointsOfView(Answer):
    """Points of view on the transpositional relations: every key of `cetaev transpose --json`.

    >>> import cetaev
    >>> "pmatrix" in cetaev.Model("skate").transpose().latex
    True
    """

    latex: str
    """The matrices and the table of what holds; needs amsmath."""

    def __init__(self, document: str, text: str, latex: str) -> None:
        super().__init__(document, text)
        self.latex = latex


class LinearEquations(Answer):
    """Small motions about a steady one: every key of `cetaev derive --linear --format json`.

    >>> import cetaev
    >>> cetaev.Model("pendulum", set={"x": 0, "y": -1, "x'": 0}).linear()["M"]
    [['m']]
    """

    latex: str
    """The matrices; needs amsmath."""

    def __init__(self, document: str, text: str, latex: str) -> None:
        super().__init__(document, text)
        self.latex = latex

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
        return _in_notebooks(self.latex)


def _nested(told: Any, places: Iterator[List[int]], trees: List[Any]) -> Any:
    """Entries nested as their indices are, with the trees that come next."""
    if isinstance(told, list):
        return [_nested(one, places, trees) for one in told]
    return {**told, "terms": [trees[i] for i in next(places)]}


class Equations:
    """Equations of motion for a reader, under one principle or several.

    >>> import cetaev
    >>> equations = cetaev.Model("skate").equations("hamel")
    >>> print(equations.text.splitlines()[-1].strip())
    w' = 0
    """

    document: Dict[str, Any]
    """Every key of `cetaev derive --format json`: expressions as trees."""
    text: str
    """In the language of model files."""
    unicode: str
    """With dots, Greek letters and indices."""
    latex: str
    """An align environment for each form; needs amsmath."""

    def __init__(self, document: str, text: str, unicode: str, latex: str, asked: Any = None) -> None:
        self.document = json.loads(document)
        self._asked = asked  # of which model what
        self.text = text
        self.unicode = unicode
        self.latex = latex

    @property
    def forms(self) -> List[str]:
        """The principles that have equations here.

        >>> import cetaev
        >>> cetaev.Model("skate").equations("voronec", "gauss").forms
        ['gauss', 'voronec']
        """
        return [form["name"] for form in self.document["forms"] if "error" not in form]

    def sympy(self, *keys: Any) -> Any:
        """The equations of motion and the constraints in SymPy: a list of `sympy.Eq`, or lists by the name of the form.

        Coordinates are functions of t and their velocities derivatives; what has a name in the equations is written out.

        >>> import cetaev
        >>> equations = cetaev.Model("skate").equations("hamel", energy=True)
        >>> equations.sympy()[-1]
        Eq(Derivative(w(t), t), 0)

        Of keys, what stands there in the `document`, with its trees in SymPy, and definitions by their left sides:

        >>> equations.sympy("energy")["lambda J v"]
        lambda1*sin(phi(t))*Derivative(x(t), t) - lambda1*cos(phi(t))*Derivative(y(t), t)
        >>> equations.sympy("forms", 0, "definitions")["w"]
        Derivative(phi(t), t)
        """
        from ._sympy import converted, equations

        document = self._whole()
        if keys:
            return converted(document, keys, _at(document, keys))
        return equations(document)

    def _whole(self) -> Dict[str, Any]:
        """The document, with trees in the place of remarks that they are too long for one."""
        if self._asked is None or '"too-long"' not in json.dumps(self.document):
            return self.document
        model, asked = self._asked
        entries, named, flat, energy, objects = model._native.flat_equations(_native.Reading(*asked))
        trees = from_flat(entries)

        def defined(lines: List[Any], places: List[Any]) -> List[Any]:
            return [{**line, ("components" if "components" in line else "terms"): [trees[i] for i in at]} for line, at in zip(lines, places)]

        forms = []
        for form, (sides, where, definitions) in zip(self.document["forms"], flat):
            if "error" not in form:
                told = form["equations"] + form["constraints"]
                whole = [{**e, "left": [trees[i] for i in left], "right": [trees[i] for i in right]} for e, (left, right) in zip(told, sides)]
                count = len(form["equations"])
                form = {**form, "equations": whole[:count], "constraints": whole[count:], "where": defined(form["where"], where),
                        "definitions": defined(form["definitions"], definitions)}
            forms.append(form)
        result = {**self.document, "names": defined(self.document["names"], named), "forms": forms}
        if energy:
            result["energy"] = defined(self.document["energy"], energy)
        if objects:
            result["objects"] = {
                name: {**told, "arrays": [{**array, "entries": _nested(array["entries"], iter(entries), trees)} for array, entries in zip(told["arrays"], arrays)]}
                for (name, told), arrays in zip(self.document["objects"].items(), objects)
            }
        return result

    def __str__(self) -> str:
        return self.unicode.rstrip("\n")

    def __repr__(self) -> str:
        return f"<Equations of {self.document['model']}: {', '.join(self.forms)}>"

    def _repr_latex_(self) -> str:
        return _in_notebooks(self.latex)
