"""Models, and what can be asked of them."""

from __future__ import annotations

import html
import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import _native, _toml
from ._answers import Answer, Check, Equations, LinearEquations, Linearization
from ._errors import Error
from ._function import Function
from ._motion import Motion
from ._progress import Progress, shown
from ._sweep import Sweep, specification

_LISTS = ("constraints", "auxiliary", "transpositional")


def _names(value: Any, what: str) -> List[str]:
    if isinstance(value, str) or not isinstance(value, (list, tuple)):
        raise TypeError(f"{what} is a list, not {type(value).__name__}")
    return [_toml.text_of(entry) for entry in value]


def _list_of(value: Any) -> Any:
    """One name is a list of one."""
    return [value] if isinstance(value, str) else list(value) if isinstance(value, tuple) else value


def _range_text(vary: Any) -> str:
    """NAME=FROM:TO:COUNT, or the four of them."""
    if not isinstance(vary, tuple):
        return _toml.text_of(vary)
    if len(vary) != 4:
        raise TypeError("vary is (name, from, to, count)")
    name, begin, end, count = vary
    return f"{_toml.text_of(name)}={_toml.number_text(begin)}:{_toml.number_text(end)}:{_toml.number_text(count)}"


def _native_of(other: Any) -> Any:
    if not isinstance(other, Model):
        raise TypeError(f"the other model is a cetaev.Model, not {type(other).__name__}")
    return other._native


class Model:
    """A mechanical system: from the gallery, from a file, from TOML, or written in Python.

    >>> import cetaev
    >>> cetaev.Model("skate").coordinates
    ['x', 'y', 'phi']

    `source` is the name of a gallery model, the path of a model file, or its text. Without one, the keywords are the keys of a model
    file; expressions are text, `cetaev` expressions or SymPy's:

    >>> x, y, phi, m, g = cetaev.symbols("x y phi m g")
    >>> skate = cetaev.Model(
    ...     coordinates=[x, y, phi],
    ...     lagrangian=m/2*(x.dot**2 + y.dot**2 + phi.dot**2) + m*g*x,
    ...     constraints=[cetaev.Eq(x.dot*cetaev.sin(phi), y.dot*cetaev.cos(phi))],
    ...     parameters={m: 1, g: 4.905},
    ...     initial={phi.dot: 1.3},
    ... )
    >>> skate.check()["set"]["integrable"]
    False

    `set` overrides parameters and initial values: Model("skate", set={"m": 2, "phi'": 1}). With a `source`, `constraints`, `auxiliary`
    and `transpositional` take the place of the model's own. A model never changes; threads may share it. What it finds it keeps.
    """

    def __init__(
        self,
        source: Union[str, "os.PathLike[str]", None] = None,
        *,
        set: Optional[Mapping[Any, Any]] = None,  # noqa: A002
        **keys: Any,
    ) -> None:
        if source is None:
            if not keys:
                raise TypeError("a model needs a name, a path or a text, or the keys of a model file")
            self._load("<python>", _toml.dump(self._with_names(keys)), {}, set)
            return
        for key in keys:
            if key not in _LISTS:
                raise TypeError(f"Model() takes {', '.join(_LISTS)} and set beside a source, not {key}")
        if isinstance(source, str) and ("\n" in source or "=" in source):
            self._load("<text>", source, keys, set)
            return
        name = os.fspath(source)
        if not isinstance(name, str):
            raise TypeError(f"a model is named by text, not by {type(name).__name__}")
        self._load(name, None, keys, set)

    def _load(self, name: str, text: Optional[str], lists: Dict[str, Any], values: Optional[Mapping[Any, Any]]) -> None:
        def replaced(key: str) -> Optional[List[str]]:
            # an empty list is one that says nothing
            return None if lists.get(key) is None else _names(lists[key], key) or [""]

        values = {} if values is None else values
        changes = _native.Changes(
            _toml.settings(values), replaced("constraints"), replaced("auxiliary"), lists.get("transpositional")
        )
        self._native = _native.Model.open(name, changes) if text is None else _native.Model.read(text, name, changes)
        self._about: Dict[str, Any] = self._native.about()
        self._source = (name, text)
        self._lists = lists
        self._values = dict(values)

    @staticmethod
    def _with_names(keys: Dict[str, Any]) -> Dict[str, Any]:
        if "coordinates" in keys:
            keys = {**keys, "coordinates": _names(list(keys["coordinates"]), "coordinates")}
        return keys

    @property
    def name(self) -> str:
        """The model's own name."""
        return self._about["name"]

    @property
    def description(self) -> str:
        """What the model says about itself."""
        return self._about["description"]

    @property
    def coordinates(self) -> List[str]:
        """Their names, in the order of the file."""
        return self._about["coordinates"]

    @property
    def parameters(self) -> Dict[str, float]:
        """The parameters and their values.

        >>> import cetaev
        >>> cetaev.Model("skate").parameters["g"]
        9.81
        """
        return dict(self._about["parameters"])

    @property
    def constraints(self) -> List[str]:
        """The scalar constraints as written."""
        return self._about["constraints"]

    @property
    def text(self) -> str:
        """The model file."""
        return self._about["text"]

    def set(self, values: Optional[Mapping[Any, Any]] = None, /, **more: Any) -> "Model":
        """The same model with other values of parameters, or another initial state.

        >>> import cetaev
        >>> heavy = cetaev.Model("skate").set({"phi'": 2}, m=10)
        >>> heavy.parameters["m"], heavy.eval("multipliers")["v"]["phi"]
        (10.0, 2.0)
        """
        if values is not None and not isinstance(values, Mapping):
            raise TypeError(f"settings are a dictionary of names and values, not {type(values).__name__}")
        model = object.__new__(Model)
        model._load(*self._source, self._lists, {**self._values, **(values or {}), **more})
        return model

    def check(self, form: Optional[str] = None) -> Check:
        """What kind of system it is: constraints, energy, integrals, with the grounds of each verdict.

        >>> import cetaev
        >>> cetaev.Model("skate").check()["set"]["caplygin"]
        True
        """
        return Check(*self._native.check(form))

    def eval(self, *forms: str, propose_auxiliary: bool = False, zero_relations: bool = False) -> Answer:
        """Accelerations under the principles named (all where none is), multipliers and residuals at the initial state.

        >>> import cetaev
        >>> here = cetaev.Model("skate").eval("multipliers", "voronec")
        >>> here["forms"]["multipliers"]["a"]["x"] == here["forms"]["voronec"]["a"]["x"]
        True

        With `propose_auxiliary` auxiliary functions are looked for with which mvm2 gives the motion of d'Alembert and
        Lagrange; with `zero_relations`, too, only those whose transpositional relations are zero.
        """
        return Answer(*self._native.eval(list(forms), propose_auxiliary, zero_relations))

    def equations(
        self,
        *forms: str,
        energy: bool = False,
        numeric: bool = False,
        expand: bool = False,
        eliminate: bool = False,
        budget: float = 10,
    ) -> Equations:
        """The equations of motion under the principles named, or under all of them.

        >>> import cetaev
        >>> cetaev.Model("skate").equations("voronec").forms
        ['voronec']
        """
        return Equations(*self._native.equations(list(forms), energy, numeric, expand, eliminate, budget))

    def compare(
        self,
        first: str,
        second: str,
        *,
        states: int = 100,
        seed: int = 1,
        tolerance: float = 1e-9,
        t_end: Optional[float] = None,
        threshold: float = 1e-8,
        method: Optional[str] = None,
    ) -> Answer:
        """Where two principles agree and by how much they differ, at random states and, with `t_end`, along the motion.

        >>> import cetaev
        >>> cetaev.Model("skate").compare("multipliers", "reduced")["agree"]
        False
        """
        return Answer(*self._native.compare(first, second, states, seed, tolerance, t_end, threshold, method))

    def compare_with(
        self,
        other: "Model",
        map: Sequence[str] = (),
        *,
        forms: Sequence[str] = (),
        states: int = 100,
        seed: int = 1,
        tolerance: float = 1e-9,
        t_end: Optional[float] = None,
        threshold: float = 1e-8,
        method: Optional[str] = None,
    ) -> Answer:
        """Another model of the same thing: do its motions agree with those of this one, seen in the coordinates of one of them?

        `map` are equations ("x = l*sin(a)") of coordinates of one model by those of the other; `forms` one for both, or one for each.

        >>> import cetaev
        >>> angle = cetaev.Model(coordinates=["a"], lagrangian="a'^2/2 + 9.81*cos(a)", initial={"a": 1})
        >>> double = cetaev.Model(coordinates=["b"], lagrangian="b'^2/8 + 9.81*cos(b/2)", initial={"b": 2})
        >>> angle.compare_with(double, ["b = 2*a"])["agree"]
        True
        """
        equations, named = _names(_list_of(map), "map"), _names(_list_of(forms), "forms")
        return Answer(
            *self._native.compare_with(
                _native_of(other), equations, named, states, seed, tolerance, t_end, threshold, method
            )
        )

    def limit(
        self,
        other: "Model",
        vary: Union[str, Tuple[str, float, float, int]],
        map: Sequence[str] = (),
        *,
        forms: Sequence[str] = (),
        t_end: Optional[float] = None,
    ) -> Answer:
        """Do the motions of this model tend to those of another as a parameter goes to a limit, and in which order?

        `vary` is NAME=FROM:TO:COUNT, or a tuple of these four; `map` and `forms` as of `compare_with`.

        >>> import cetaev
        >>> hardening = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 - x^2/2 + e*x^4/4", parameters={"e": 0.1}, initial={"x": 1})
        >>> plain = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 - x^2/2", initial={"x": 1})
        >>> hardening.limit(plain, ("e", 1e-2, 1e-5, 4), t_end=1)["verdict"]
        'converges'
        """
        equations, named = _names(_list_of(map), "map"), _names(_list_of(forms), "forms")
        return Answer(*self._native.limit(_native_of(other), _range_text(vary), equations, named, t_end))

    def equivalent(self, other: "Model") -> Answer:
        """Do the constraints of another model in the same coordinates describe the same set of states?

        >>> import cetaev
        >>> one = cetaev.Model(coordinates=["x", "y"], lagrangian="x'^2/2 + y'^2/2", constraints=["x' = y'"])
        >>> same = cetaev.Model(coordinates=["x", "y"], lagrangian="x'^2/2 + y'^2/2", constraints=["3*x' - 3*y' = 0"])
        >>> one.equivalent(same)["equivalent"]
        True
        """
        return Answer(*self._native.equivalent(_native_of(other), other.name))

    def verify(self) -> Answer:
        """What the model claims about itself, put to the test.

        >>> import cetaev
        >>> cetaev.Model("skate").verify()["passed"]
        True
        """
        return Answer(*self._native.verify(self._source[0]))

    def linearize(
        self, solve: Sequence[str] = (), vary: Union[str, Tuple[str, float, float, int], None] = None
    ) -> Linearization:
        """Small motions about the initial state, a steady one, their eigenvalues, and whether it is stable.

        Values named in `solve` move so as to make it steady; `vary` is NAME=FROM:TO:COUNT, or a tuple of these four.

        >>> import cetaev
        >>> cetaev.Model("rolling-disc-steady").linearize()["zero"]
        2
        """
        names = _names(_list_of(solve), "solve")
        return Linearization(*self._native.linearize(names, None if vary is None else _range_text(vary)))

    def periodic(self, period: float, *, tolerance: Optional[float] = None, method: Optional[str] = None) -> Answer:
        """A motion that comes back to where it began, near the initial state and `period`, and whether those near by stay near.

        >>> import cetaev
        >>> oscillator = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 - 2*x^2", initial={"x": 1})
        >>> round(oscillator.periodic(3)["period"], 12)
        3.14159265359
        """
        wishes = _native.Wishes(None, None, None, tolerance, method, None, False, True, [])
        return Answer(*self._native.periodic(period, wishes))

    def lyapunov(
        self,
        t_end: Optional[float] = None,
        *,
        tolerance: Optional[float] = None,
        method: Optional[str] = None,
        progress: Progress = None,
    ) -> Answer:
        """Lyapunov exponents along the motion: how fast motions that begin beside each other part. Ctrl-C and `progress` as of `run`.

        >>> import cetaev
        >>> exponents = cetaev.Model("pendulum").lyapunov(20)["exponents"]
        >>> len(exponents)
        2
        """
        wishes = _native.Wishes(None, t_end, None, tolerance, method, None, False, True, [])
        with shown(progress) as told:
            return Answer(*self._native.lyapunov(wishes, told))

    def linear(self, numeric: bool = False) -> LinearEquations:
        """The linear equations of small motions about the initial state, a steady one: `["M"]`, `["C"]`, `["K"]`, as `derive --linear`.

        >>> import cetaev
        >>> cetaev.Model("double-pendulum", set={"theta1": 0, "theta2": 0}).linear()["K"][1]
        ['0', 'm*l*g']
        """
        return LinearEquations(*self._native.linear(numeric))

    def sweep(
        self,
        vary: Mapping[str, Any],
        *,
        count: int = 0,
        seed: int = 0,
        observe: Sequence[Any] = (),
        t_end: Optional[float] = None,
        tolerance: Optional[float] = None,
        form: Optional[str] = None,
        method: Optional[str] = None,
        threads: int = 0,
        progress: Progress = None,
    ) -> Sweep:
        """Many motions: parameters and initial values by name, each an array of values, or a specification as of `cetaev sweep` ("uniform(0, 1)").

        Arrays multiply, the last one varies fastest; random ones have `count` draws. `observe` are expressions at the end, or
        max(…), min(…), mean(…), time(EVENT), at(…, EVENT); without any, the last state. On all processors; Ctrl-C ends it.

        >>> import cetaev
        >>> import numpy as np
        >>> swept = cetaev.Model("skate").sweep({"phi'": np.linspace(1, 2, 5)}, t_end=1)
        >>> swept["phi"].round(12)
        array([1.  , 1.25, 1.5 , 1.75, 2.  ])
        """
        if not isinstance(vary, Mapping):
            raise TypeError(f"vary is a dictionary of names and values, not {type(vary).__name__}")
        texts = [f"{_toml.text_of(name)}={specification(values)}" for name, values in vary.items()]
        seen = [observe] if isinstance(observe, str) else _names(list(observe), "observe")
        wishes = _native.Wishes(form, t_end, None, tolerance, method, None, False, True, [])
        with shown(progress) as told:
            return Sweep(self._native.sweep(texts, count, seed, seen, threads, wishes, told))

    def transpose(self) -> Answer:
        """Points of view on the transpositional relations, and the motion that follows from each."""
        return Answer(*self._native.transpose())

    def code(self, language: str, form: Optional[str] = None) -> str:
        """The equations as source code: c, cpp, python, cuda or matlab.

        >>> import cetaev
        >>> "def " in cetaev.Model("skate").code("python")
        True
        """
        return self._native.code(language, form)

    def function(self, form: Optional[str] = None) -> Function:
        """The equations as a compiled function for SciPy."""
        return Function(self._native.function(form))

    def run(
        self,
        t_end: Optional[float] = None,
        *,
        samples: Optional[int] = None,
        tolerance: Optional[float] = None,
        form: Optional[str] = None,
        method: Optional[str] = None,
        backend: Optional[str] = None,
        variations: Sequence[Any] = (),
        through_singular: bool = False,
        cache: bool = True,
        progress: Progress = None,
    ) -> Motion:
        """The motion from the initial state. What is not given the model says, or the defaults of `cetaev run`.

        `progress` is True for a bar, or a function of the fraction done and the time reached; what it raises ends the motion. Ctrl-C
        ends it, too. Other threads run meanwhile. `variations` names parameters and initial values by which the motion is differentiated
        on its way.

        >>> import cetaev
        >>> motion = cetaev.Model("skate").run(t_end=2)
        >>> motion.q["x"].shape
        (1001,)
        """
        varied = [variations] if isinstance(variations, str) else _names(list(variations), "variations")
        wishes = _native.Wishes(form, t_end, samples, tolerance, method, backend, through_singular, cache, varied)
        with shown(progress) as told:
            return Motion(self._native.run(wishes, told))

    def report(
        self,
        path: Union[str, "os.PathLike[str]", None] = None,
        *,
        t_end: Optional[float] = None,
        samples: Optional[int] = None,
        form: Optional[str] = None,
        budget: float = 0.6,
    ) -> str:
        """The whole story of the model as one self-contained HTML page, written to `path` where there is one."""
        wishes = _native.Wishes(form, t_end, samples, None, None, None, False, True, [])
        page = self._native.report(wishes, budget, self._source[0])
        if path is not None:
            try:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(page)
            except OSError as problem:
                raise Error("cannot-write", f"cannot write '{os.fspath(path)}': {problem.strerror}", exit_code=4) from problem
        return page

    def __repr__(self) -> str:
        return f"<Model {self.name}: {', '.join(self.coordinates)}; {len(self.constraints)} constraints>"

    def _repr_html_(self) -> str:
        lead = f"<p>{html.escape(self.description)}</p>" if self.description else ""
        return f"<h4>{html.escape(self.name)}</h4>{lead}<pre>{html.escape(self.text.strip())}</pre>"


def gallery() -> List[str]:
    """The names of the models that ship with the library.

    >>> import cetaev
    >>> "skate" in cetaev.gallery()
    True
    """
    return _native.gallery()
