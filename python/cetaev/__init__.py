"""Equations and motion of constrained mechanical systems.

>>> import cetaev
>>> model = cetaev.Model("skate")
>>> model.check()["energy"]["conserved"]
True
>>> motion = model.run(t_end=2)
>>> motion.status
'finished'
"""

from ._answers import Answer, Check, Equations, LinearEquations, Linearization
from ._errors import Error
from ._expressions import (
    Eq,
    Equation,
    Expression,
    acos,
    acosh,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    cos,
    cosh,
    cross,
    dot,
    exp,
    log,
    norm,
    pi,
    sin,
    sinh,
    sqrt,
    symbols,
    t,
    tan,
    tanh,
    vector,
)
from ._function import Function
from ._model import Model, gallery
from ._motion import Columns, Motion, States, Variation
from ._native import version as __version__
from ._plot import plot
from ._sweep import Sweep

__all__ = [
    "Answer",
    "Check",
    "Columns",
    "Eq",
    "Equation",
    "Equations",
    "Error",
    "Expression",
    "Function",
    "LinearEquations",
    "Linearization",
    "Model",
    "Motion",
    "States",
    "Sweep",
    "Variation",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cos",
    "cosh",
    "cross",
    "dot",
    "exp",
    "gallery",
    "log",
    "norm",
    "pi",
    "plot",
    "sin",
    "sinh",
    "sqrt",
    "symbols",
    "t",
    "tan",
    "tanh",
    "vector",
]
