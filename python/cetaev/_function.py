"""Right-hand sides for SciPy."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Union

import numpy as np


class Function:
    """The equations of a form as compiled code, y' = f(t, y): what `scipy.integrate.solve_ivp` takes.

    >>> import cetaev
    >>> f = cetaev.Model("skate").function("hamel")
    >>> f.names
    ['x', 'y', 'phi', 'u', 'w']
    >>> f(0.0, f.y0).shape, f.jacobian(0.0, f.y0).shape
    ((5,), (5, 5))

    With SciPy: `solve_ivp(f, (0, 10), f.y0, method="Radau", jac=f.jacobian)`. Threads may share it.
    """

    def __init__(self, native: Any) -> None:
        self._native = native
        self._rates = native.rates
        self._jacobian = native.jacobian
        self._about: Dict[str, Any] = native.about()

    @property
    def form(self) -> str:
        """The principle."""
        return self._about["form"]

    @property
    def names(self) -> List[str]:
        """What the state y consists of."""
        return self._about["names"]

    @property
    def parameters(self) -> Dict[str, float]:
        """The parameters and their values, in the order in which a call takes others."""
        return self._about["parameters"]

    @property
    def t0(self) -> float:
        """The time at which the model begins."""
        return self._about["t0"]

    @property
    def y0(self) -> np.ndarray:
        """The state that the model begins with."""
        return self._native.y0()

    def _values(self, parameters: Any) -> Any:
        """All values, where some are given by name."""
        if not isinstance(parameters, Mapping):
            return parameters
        known = self.parameters
        for name in parameters:
            if name not in known:
                raise TypeError(f"there is no parameter {name!r}; the model has {', '.join(known) or 'none'}")
        return [parameters.get(name, value) for name, value in known.items()]

    def __call__(self, t: float, y: Any, parameters: Any = None) -> np.ndarray:
        """y' at a state, or at several: columns of y.

        `parameters`, where they are given, are values of all parameters in the order of `parameters`, or some of them by name.
        """
        return self._rates(t, y, self._values(parameters))

    def jacobian(self, t: float, y: Any, parameters: Any = None) -> np.ndarray:
        """∂f/∂y, exactly.

        >>> import cetaev
        >>> f = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 - 2*x^2").function("multipliers")
        >>> f.jacobian(0, [1, 0])
        array([[ 0.,  1.],
               [-4.,  0.]])
        """
        return self._jacobian(t, y, self._values(parameters))

    def velocities(self, t: float, y: Any, parameters: Any = None) -> np.ndarray:
        """The velocities of all coordinates.

        >>> import cetaev
        >>> f = cetaev.Model("skate").function("hamel")
        >>> f.velocities(f.t0, f.y0)
        array([0. , 0. , 1.3])
        """
        return self._native.velocities(t, y, self._values(parameters))

    def energy(self, t: float, y: Any, parameters: Any = None) -> Union[float, np.ndarray]:
        """E = v·∂L/∂v − L.

        >>> import cetaev
        >>> f = cetaev.Model("skate").function()
        >>> bool(f.energy(f.t0, f.y0) > 0)
        True
        """
        return self._native.energy(t, y, self._values(parameters))[0]

    def low_level(self, component: Optional[int] = None) -> Any:
        """A `scipy.LowLevelCallable`, for those who call machine code without Python between.

        Without a component its signature is `int (double t, double *y, double *dydt, void *)`, not 0 where the equations are singular;
        with one it is `double (int, double *, void *)` of (t, y…), the rate of that component, which `scipy.integrate.quad` takes.

        >>> import cetaev
        >>> cetaev.Model("skate").function().low_level().signature
        'int (double, double *, double *, void *)'
        """
        from scipy import LowLevelCallable

        return LowLevelCallable(self._native.capsule(component))

    def __repr__(self) -> str:
        return f"<Function of {self.form}: {', '.join(self.names)}>"
