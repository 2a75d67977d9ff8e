"""Two principles, two models, two sets of constraints beside each other."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence, Union

from . import _native
from ._answers import Answer
from ._arguments import Range, equations, names, range_text
from ._checked import checked


def _native_of(other: Any) -> Any:
    if not isinstance(other, Pairs):
        raise TypeError(f"the other model is a cetaev.Model, not {type(other).__name__}")
    return other._native


class Pairs:
    """The questions about a model that compare."""

    _native: Any

    @checked
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
        how = _native.Beside(states, seed, tolerance, t_end, threshold, method)
        return Answer(*self._native.compare(first, second, how))

    @checked
    def compare_with(
        self,
        other: Any,
        map: Union[Sequence[str], Mapping[Any, Any]] = (),
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
        how = _native.Beside(states, seed, tolerance, t_end, threshold, method)
        return Answer(*self._native.compare_with(_native_of(other), equations(map, "map"), names(forms, "forms"), how))

    @checked
    def limit(
        self,
        other: Any,
        vary: Range,
        map: Union[Sequence[str], Mapping[Any, Any]] = (),
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
        named = names(forms, "forms")
        return Answer(*self._native.limit(_native_of(other), range_text(vary), equations(map, "map"), named, t_end))

    def equivalent(self, other: Any = None) -> Answer:
        """Do other constraints in the same coordinates describe the same set of states?

        >>> import cetaev
        >>> one = cetaev.Model(coordinates=["x", "y"], lagrangian="x'^2/2 + y'^2/2", constraints=["x' = y'"])
        >>> same = cetaev.Model(coordinates=["x", "y"], lagrangian="x'^2/2 + y'^2/2", constraints=["3*x' - 3*y' = 0"])
        >>> one.equivalent(same)["equivalent"]
        True

        `other` is a model, or the name of one of the model's `alternatives`; without it, all of these are compared.
        """
        if other is None or isinstance(other, str):
            return Answer(*self._native.equivalent_alternatives(other))
        return Answer(*self._native.equivalent(_native_of(other), other.name))
