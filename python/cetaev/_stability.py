"""What happens beside a motion."""

from __future__ import annotations

from math import isfinite
from typing import Any, List, Optional, Sequence, Tuple, Union, overload

from . import _native
from ._answers import Answer
from ._arguments import Range, names, range_text
from ._checked import checked
from ._errors import Error
from ._progress import Progress, shown
from ._small_motions import Branch, Chart, LinearEquations, Linearization
from ._toml import number_text


class Stability:
    """Small motions about a steady one, periodic motions, and how fast others part."""

    _native: Any

    @checked
    def linearize(
        self,
        solve: Sequence[str] = (),
        vary: Union[Range, List[Range], Tuple[Range, Range], None] = None,
        *,
        threads: int = 0,
        progress: Progress = None,
    ) -> Linearization:
        """Small motions about the initial state, a steady one, their eigenvalues, and whether it is stable.

        Values named in `solve` move so as to make it steady; `vary` is NAME=FROM:TO:COUNT, or a tuple of these four.

        >>> import cetaev
        >>> cetaev.Model("rolling-disc-steady").linearize()["zero"]
        2

        With two of them, in a list, the answer is a `Chart` of stability over both, on all processors; Ctrl-C ends it.

        >>> upright = cetaev.Model("rolling-disc", set={"theta": 0, "theta'": 0, "psi'": 0})
        >>> chart = upright.linearize(vary=[("phi'", -5, -1, 9), ("r", 0.5, 2, 4)])
        >>> chart.names, chart.growth.shape
        (("phi'", 'r'), (9, 4))
        """
        solved = names(solve, "solve")
        if isinstance(vary, list) or (isinstance(vary, tuple) and len(vary) != 4):
            if len(vary) == 2:
                across, upwards = (range_text(axis) for axis in vary)
                with shown(progress, "places") as told:
                    return Chart(*self._native.chart(solved, across, upwards, threads, told))
            if len(vary) != 1:
                raise TypeError("vary goes along one name, or over two of them")
            vary = vary[0]
        return Linearization(*self._native.linearize(solved, None if vary is None else range_text(vary)))

    @checked
    def linear(self, numeric: bool = False) -> LinearEquations:
        """The linear equations of small motions about the initial state, a steady one: `["M"]`, `["C"]`, `["K"]`, as `derive --linear`.

        >>> import cetaev
        >>> cetaev.Model("double-pendulum", set={"theta1": 0, "theta2": 0}).linear()["K"][1]
        ['0', 'm*l*g']
        """
        return LinearEquations(*self._native.linear(numeric))

    @overload
    def periodic(
        self, period: Any, *, vary: None = None, tolerance: Optional[float] = None, method: Optional[str] = None
    ) -> Answer: ...

    @overload
    def periodic(
        self,
        period: Any,
        *,
        vary: Range,
        hold: Sequence[str] = (),
        tolerance: Optional[float] = None,
        method: Optional[str] = None,
        progress: Progress = None,
    ) -> Branch: ...

    @checked
    def periodic(
        self,
        period: Any,
        *,
        vary: Optional[Range] = None,
        hold: Sequence[str] = (),
        tolerance: Optional[float] = None,
        method: Optional[str] = None,
        progress: Progress = None,
    ) -> Answer:
        """A motion that comes back to where it began, near the initial state and `period`, and whether those near by stay near.

        >>> import cetaev
        >>> oscillator = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 - 2*x^2", initial={"x": 1})
        >>> round(oscillator.periodic(3)["period"], 12)
        3.14159265359

        With `vary`, NAME=FROM:TO:COUNT or a tuple of these four, a `Branch` of them along a parameter, an initial value, E or period, round
        folds, with what happens on the way. `hold` names what of E, period and initial values stays the same, where periodic motions come
        in families. The period may be an expression of parameters, as "2*pi/W". Ctrl-C ends it.

        >>> branch = cetaev.Model("pendulum").periodic(2, vary=("E", -9, 9, 7))
        >>> {-9, -6, -3, 0, 3, 6, 9} <= set(branch.values.tolist())
        True
        >>> bool((branch.periods[1:] > branch.periods[:-1]).all())
        True
        """
        if isinstance(period, float) and not isfinite(period):
            raise Error("bad-model", "a period is a finite number")
        near = number_text(period)
        held = names(hold, "hold")
        wishes = _native.Wishes(None, None, None, tolerance, method, None, False, True, [])
        if vary is None:
            if held or not (progress is None or progress is False):
                raise TypeError("hold and progress are for motions along vary, which is not given")
            return Answer(*self._native.periodic(near, wishes))
        with shown(progress, "motions") as told:
            return Branch(*self._native.periodic_along(near, range_text(vary), held, wishes, told))

    @checked
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
