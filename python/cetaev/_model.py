"""Models, and what can be asked of them."""

from __future__ import annotations

import os
from typing import Any, Dict, List, Literal, Mapping, Optional, Union, overload

from . import _native, _toml
from ._arguments import names, path_text
from ._asking import Asking
from ._columns import Values
from ._expressions import Equation, Expression
from ._moving import Moving
from ._numbers import is_sympy, listed
from ._pairs import Pairs
from ._show import escape
from ._stability import Stability
from ._trees import from_flat

_LISTS = ("constraints", "auxiliary", "transpositional")


def _is_text(source: str) -> bool:
    """The text of a model, and not the name of one: it has lines, or an equation that is no file's name."""
    return "\n" in source or ("=" in source and not source.endswith(".toml") and not os.path.exists(source))


def _turns(value: Any) -> Any:
    """A frame as a file has it, of the list of what it is turned from and by: [yaw, ("x", theta)] is "yaw, x (theta)"."""
    if not isinstance(value, (list, tuple)):
        return value
    shown = []
    for turn in [value] if value and isinstance(value, tuple) else value:
        if isinstance(turn, tuple):
            about, *angles = turn
            if about == "quaternion":
                shown.append(" ".join(map(_toml.text_of, turn)))
                continue
            if len(angles) != 1:
                raise TypeError("a frame is turned by (axis, angle)")
            shown.append(f"{_toml.text_of(about)} ({_toml.number_text(angles[0])})")
        else:
            shown.append(_toml.text_of(turn))
    return ", ".join(shown)


def _written_in_python(keys: Dict[str, Any]) -> Dict[str, Any]:
    """What Python says in its own way, as a file does."""
    keys = dict(keys)
    if "coordinates" in keys:
        keys["coordinates"] = names(keys["coordinates"], "coordinates")
    for key in ("constraints", "auxiliary", "dependent"):
        value = keys.get(key)
        entries = listed(value)
        if entries is not None:
            keys[key] = entries
        elif isinstance(value, (str, Expression, Equation)) or is_sympy(value):
            keys[key] = [value]  # one alone is a list of one
        if any(isinstance(entry, bool) for entry in entries or ()):
            raise TypeError(f"{key} has a truth value, as == makes it: an equation is written cetaev.Eq(left, right)")
    if isinstance(keys.get("frames"), Mapping):
        keys["frames"] = {frame: _turns(value) for frame, value in keys["frames"].items()}
    return keys


def _again(kind: Any, source: Any, path: Any, lists: Any, values: Any) -> Any:
    """A model of its kind, here or in another process, of what it was made of."""
    model = object.__new__(kind)
    model._path = path
    model._load(*source, lists, values)
    return model


class Model(Asking, Pairs, Moving, Stability):
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

    _path: Optional[str] = None  # of the file that it was read from

    def __init__(
        self,
        source: Union[str, "os.PathLike[str]", None] = None,
        /,
        *,
        set: Optional[Mapping[Any, Any]] = None,  # noqa: A002
        **keys: Any,
    ) -> None:
        if source is None:
            if not keys:
                raise TypeError("a model needs a name, a path or a text, or the keys of a model file")
            if "source" in keys and "coordinates" not in keys:
                raise TypeError("the name, the path or the text of a model comes first and without 'source=', which is the key of a model file")
            self._load("<python>", _toml.dump(_written_in_python(keys)), {}, set)
            return
        for key in keys:
            if key not in _LISTS:
                raise TypeError(f"Model() takes {', '.join(_LISTS)} and set beside a source, not {key}")
        if isinstance(source, str) and _is_text(source):
            self._load("<text>", source, keys, set)
            return
        self._load(path_text(source, "a model"), None, keys, set)

    @staticmethod
    def _changes(lists: Dict[str, Any], values: Mapping[Any, Any], along: List[str]) -> Any:
        def replaced(key: str) -> Optional[List[str]]:
            # an empty list is one that says nothing
            return None if lists.get(key) is None else names(lists[key], key) or [""]

        settings, view = _toml.settings(values), lists.get("transpositional")
        if not isinstance(view, (str, type(None))):
            raise TypeError(f"transpositional is the name of a point of view beside a source, not {type(view).__name__}")
        return _native.Changes(settings, replaced("constraints"), replaced("auxiliary"), view, along)

    @staticmethod
    def _read(name: str, text: Optional[str], changes: Any) -> Any:
        return _native.Model.open(name, changes) if text is None else _native.Model.read(text, name, changes)

    def _load(self, name: str, text: Optional[str], lists: Dict[str, Any], values: Optional[Mapping[Any, Any]]) -> None:
        values = {} if values is None else values
        self._native = self._read(name, text, self._changes(lists, values, []))
        self._about: Dict[str, Any] = self._native.about()
        # A file may change, and be somewhere else as seen from another folder: what was read is what this model is
        if text is None and os.path.isfile(name):
            self._path, text = os.path.abspath(name), self._about["text"]
        self._source = (name, text)
        self._lists = {key: list(given) if isinstance(given, (list, tuple)) else given for key, given in lists.items()}
        self._values = dict(values)

    @property
    def name(self) -> str:
        """The model's own name.

        >>> import cetaev
        >>> cetaev.Model("skate").name
        'Skate on an inclined plane'
        """
        return self._about["name"]

    @property
    def description(self) -> str:
        """What the model says about itself.

        >>> import cetaev
        >>> cetaev.Model("skate").description[:7]
        'A blade'
        """
        return self._about["description"]

    @property
    def coordinates(self) -> List[str]:
        """Their names, in the order of the file.

        >>> import cetaev
        >>> cetaev.Model("rolling-disc").coordinates
        ['X', 'Y', 'psi', 'theta', 'phi']
        """
        return list(self._about["coordinates"])

    @property
    def parameters(self) -> Dict[str, float]:
        """The parameters and their values, which `set` changes for another model.

        >>> import cetaev
        >>> cetaev.Model("skate").parameters["g"]
        9.81
        """
        return Values(self._about["parameters"])

    @property
    def constraints(self) -> List[str]:
        """The scalar constraints as written.

        >>> import cetaev
        >>> cetaev.Model("skate").constraints
        ["x'*sin(phi) - y'*cos(phi) = 0"]
        """
        return list(self._about["constraints"])

    @property
    def events(self) -> List[str]:
        """The names of its events.

        >>> import cetaev
        >>> cetaev.Model(coordinates=["x"], lagrangian="x'^2/2", events={"zero": {"when": "x"}}).events
        ['zero']
        """
        return list(self._about["events"])

    @property
    def alternatives(self) -> List[str]:
        """The names of other sets of constraints that the model has, for `equivalent`.

        >>> import cetaev
        >>> cetaev.Model("circle").alternatives
        ['circle']
        """
        return list(self._about["alternatives"])

    @property
    def text(self) -> str:
        """The model file.

        >>> import cetaev
        >>> print(cetaev.Model(coordinates=["x"], lagrangian="x'^2/2").text, end="")
        coordinates = ["x"]
        lagrangian = "x'^2/2"
        """
        return self._about["text"]

    def set(self, values: Optional[Mapping[Any, Any]] = None, /, **more: Any) -> "Model":
        """The same model with other values of parameters, or another initial state.

        >>> import cetaev
        >>> heavy = cetaev.Model("skate").set({"phi'": 2}, m=10)
        >>> heavy.parameters["m"], heavy.eval("multipliers")["v"]["phi"]
        (10.0, 2.0)

        A state of a motion is such a dictionary:

        >>> later = heavy.set(heavy.run(t_end=1)(0.5))
        >>> later.eval("multipliers")["t"]
        0.5
        """
        if values is not None and not isinstance(values, Mapping):
            raise TypeError(f"settings are a dictionary of names and values, not {type(values).__name__}")
        return _again(type(self), self._source, self._path, self._lists, {**self._values, **(values or {}), **more})

    def __reduce__(self) -> Any:
        return _again, (type(self), self._source, self._path, self._lists, self._values)

    def __copy__(self) -> "Model":
        return self  # which never changes

    def __deepcopy__(self, memo: Any) -> "Model":
        return self

    def expression(self, written: Any) -> Expression:
        """An expression in the names of the model, with what points, bodies, frames and definitions stand for written out, and the
        derivatives by time taken.

        >>> import cetaev
        >>> P = cetaev.symbols("P")
        >>> swinging = cetaev.Model(coordinates=["a"], points=[{"name": "P", "mass": 1, "position": ["sin(a)", "-cos(a)", 0]}])
        >>> print(swinging.expression(P.dot))
        [a'*cos(a), a'*sin(a), 0]
        >>> swinging.expression("P.y").sympy()
        -cos(a(t))
        """
        entries, root = self._native.expanded(_toml.text_of(written))
        return self._own(from_flat(entries), root)

    def _own(self, trees: List[Any], root: Any) -> Any:
        if isinstance(root, dict):
            return {name: self._own(trees, one) for name, one in root.items()}
        tree = trees[root] if isinstance(root, int) else {"op": "vector", "args": [trees[place] for place in root]}
        return Expression._of(tree, frozenset(self._about["coordinates"]))

    @property
    def expressions(self) -> Dict[str, Any]:
        """All expressions that the model has, by the keys of its file: `Expression`s, lists of them for `constraints` (left side less right
        side) and `auxiliary`, dictionaries for what has names; and its energy v·∂L/∂v − L, and `omega` of its frames.

        >>> import cetaev
        >>> skate = cetaev.Model("skate").expressions
        >>> print(skate["constraints"][0])
        x'*sin(phi) - y'*cos(phi)
        >>> skate["integrals"]["turning"].sympy()
        Derivative(phi(t), t)
        """
        entries, found = self._native.expressions()
        trees = from_flat(entries)
        return {
            key: [self._own(trees, one) for one in value] if key in ("constraints", "auxiliary") else self._own(trees, value)
            for key, value in found.items()
        }

    @property
    def lagrangian(self) -> Expression:
        """The Lagrangian.

        >>> import cetaev
        >>> cetaev.Model(coordinates=["x"], kinetic="m*x'^2/2", potential="k*x^2/2", parameters={"m": 1, "k": 4}).lagrangian.sympy()
        -k*x(t)**2/2 + m*Derivative(x(t), t)**2/2
        """
        return self.expressions["lagrangian"]

    @property
    def energy(self) -> Expression:
        """The energy v·∂L/∂v − L.

        >>> import cetaev
        >>> cetaev.Model(coordinates=["x"], lagrangian="m*x'^2/2 - k*x^2/2", parameters={"m": 1, "k": 4}).energy.sympy()
        k*x(t)**2/2 + m*Derivative(x(t), t)**2/2
        """
        return self.expressions["energy"]

    def _driven(self, along: List[str]) -> Any:
        name, text = self._source
        return self._read(name, text, self._changes(self._lists, self._values, along))

    def __repr__(self) -> str:
        return f"<Model {self.name}: {', '.join(self.coordinates)}; {len(self.constraints)} constraint{'' if len(self.constraints) == 1 else 's'}>"

    def _repr_html_(self) -> str:
        lead = f"<p>{escape(self.description)}</p>" if self.description else ""
        return f"<h4>{escape(self.name)}</h4>{lead}<pre>{escape(self.text.strip())}</pre>"


@overload
def gallery(about: Literal[False] = False) -> List[str]: ...


@overload
def gallery(about: Literal[True]) -> Dict[str, Dict[str, str]]: ...


def gallery(about: bool = False) -> Union[List[str], Dict[str, Dict[str, str]]]:
    """The names of the models that ship with the library. Beside them there is one for every number of "snake-5", "trailer-3", ….

    >>> import cetaev
    >>> "skate" in cetaev.gallery()
    True

    With `about`, what each of them is: its title, description, group and source.

    >>> cetaev.gallery(about=True)["skate"]["title"]
    'Skate on an inclined plane'
    """
    if not about:
        return _native.gallery()
    return {name: dict(zip(("title", "description", "group", "source"), rest)) for name, *rest in _native.about_gallery()}
