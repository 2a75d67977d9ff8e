"""Right-hand sides for SciPy."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Union

import numpy as np

from . import _toml
from ._arguments import holds, numbers
from ._checked import checked, optional
from ._columns import Values


class Function:
    """The equations of a form as compiled code, y' = f(t, y): what `scipy.integrate.solve_ivp` takes.

    >>> import cetaev
    >>> f = cetaev.Model("skate").function("hamel")
    >>> f.names
    ['x', 'y', 'phi', 'u', 'w']
    >>> f(0.0, f.y0).shape, f.jacobian(0.0, f.y0).shape
    ((5,), (5, 5))

    With SciPy: `solve_ivp(f, (0, 10), f.y0, method="Radau", jac=f.jacobian)`. Threads may share it, and other
    processes get one of their own when it is pickled.
    """

    def __init__(self, native: Any, made: Any = None) -> None:
        self._native = native
        self._made = made  # the model and the form, for another process
        self._rates = native.rates
        self._jacobian = native.jacobian
        self._about: Dict[str, Any] = native.about()

    @property
    def form(self) -> str:
        """The principle.

        >>> import cetaev
        >>> cetaev.Model("pendulum").function("gauss").form
        'gauss'
        """
        return self._about["form"]

    @property
    def names(self) -> List[str]:
        """What the state y consists of.

        >>> import cetaev
        >>> cetaev.Model("pendulum").function("multipliers").names
        ['x', 'y', "x'", "y'"]
        """
        return list(self._about["names"])

    @property
    def parameters(self) -> Dict[str, float]:
        """The parameters and their values, in the order in which a call takes others.

        >>> import cetaev
        >>> cetaev.Model("pendulum").function().parameters
        {'m': 1.0, 'l': 1.0, 'g': 9.81}
        """
        return Values(self._about["parameters"])

    @property
    def t0(self) -> float:
        """The time at which the model begins.

        >>> import cetaev
        >>> cetaev.Model("pendulum", set={"t": 2}).function().t0
        2.0
        """
        return self._about["t0"]

    @property
    def y0(self) -> np.ndarray:
        """The state that the model begins with.

        >>> import cetaev
        >>> cetaev.Model(coordinates=["x"], lagrangian="x'^2/2", initial={"x": 3}).function("multipliers").y0
        array([3., 0.])
        """
        return self._native.y0()

    def _at(self, t: Any, y: Any, parameters: Any) -> Any:
        """Numbers, and all values of parameters where some are given by name."""
        if type(t) is not float:
            time = numbers(t, "times")
            if time.size != 1:
                raise TypeError("a function is asked at one time")
            t = float(time.reshape(()))
        if type(y) is not np.ndarray or y.dtype != np.float64:
            y = numbers(y, "states")
        if parameters is None:
            return t, y, None
        if isinstance(parameters, Mapping):
            known = dict(self._about["parameters"])
            for name, value in parameters.items():
                if not holds(known, name):
                    raise TypeError(f"there is no parameter {name!r}; the model has {', '.join(known) or 'none'}")
                known[_toml.text_of(name)] = value
            parameters = list(known.values())
        values = numbers(parameters, "parameters")
        if values.ndim != 1:
            raise TypeError(f"parameters are a list of {len(self._about['parameters'])} numbers, or some of them by name")
        return t, y, values

    def __reduce__(self) -> Any:
        model, form = self._made
        return type(model).function, (model, form)

    def __call__(self, t: float, y: Any, parameters: Any = None) -> np.ndarray:
        """y' at a state, or at several: columns of y.

        `parameters`, where they are given, are values of all parameters in the order of `parameters`, or some of them by name.

        >>> import cetaev
        >>> f = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 - k*x^2/2", parameters={"k": 4}).function("multipliers")
        >>> f(0.0, [1, 0]), f(0.0, [1, 0], {"k": 9})
        (array([ 0., -4.]), array([ 0., -9.]))
        """
        return self._rates(*self._at(t, y, parameters))

    def jacobian(self, t: float, y: Any, parameters: Any = None) -> np.ndarray:
        """∂f/∂y, exactly.

        >>> import cetaev
        >>> f = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 - 2*x^2").function("multipliers")
        >>> f.jacobian(0, [1, 0])
        array([[ 0.,  1.],
               [-4.,  0.]])
        """
        return self._jacobian(*self._at(t, y, parameters))

    def velocities(self, t: float, y: Any, parameters: Any = None) -> np.ndarray:
        """The velocities of all coordinates.

        >>> import cetaev
        >>> f = cetaev.Model("skate").function("hamel")
        >>> f.velocities(f.t0, f.y0)
        array([0. , 0. , 1.3])
        """
        return self._native.velocities(*self._at(t, y, parameters))

    def energy(self, t: float, y: Any, parameters: Any = None) -> Union[float, np.ndarray]:
        """E = v·∂L/∂v − L.

        >>> import cetaev
        >>> f = cetaev.Model("skate").function()
        >>> bool(f.energy(f.t0, f.y0) > 0)
        True
        """
        return self._native.energy(*self._at(t, y, parameters))[0]

    @checked
    def low_level(self, component: Optional[int] = None) -> Any:
        """A `scipy.LowLevelCallable`, for those who call machine code without Python between.

        Without a component its signature is `int (double t, double *y, double *dydt, void *)`, not 0 where the equations are singular;
        with one it is `double (int, double *, void *)` of (t, y…), the rate of that component, which `scipy.integrate.quad` takes.

        >>> import cetaev
        >>> cetaev.Model("skate").function().low_level().signature
        'int (double, double *, double *, void *)'
        """
        scipy = optional("scipy", "low_level()")
        return scipy.LowLevelCallable(self._native.capsule(component))

    def __repr__(self) -> str:
        return f"<Function of {self.form}: {', '.join(self.names)}>"
