"""Equations and motion of constrained mechanical systems.

>>> import cetaev
>>> model = cetaev.Model("skate")
>>> model.check()["energy"]["conserved"]
True
>>> motion = model.run(t_end=2)
>>> motion.status
'finished'
"""

from ._answers import Answer, Branch, Chart, Check, Equations, LinearEquations, Linearization, PointsOfView
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
from ._motion import Columns, Inverse, Motion, States, Variation, read_motion
from ._moving import merge_sweeps, report_sweep
from ._native import version as __version__
from ._plot import plot
from ._sweep import Sweep
from ._verify import verify, verify_papers

__all__ = [
    "Answer",
    "Branch",
    "Chart",
    "Check",
    "Columns",
    "Eq",
    "Equation",
    "Equations",
    "Error",
    "Expression",
    "Function",
    "Inverse",
    "LinearEquations",
    "Linearization",
    "Model",
    "Motion",
    "PointsOfView",
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
    "merge_sweeps",
    "norm",
    "pi",
    "plot",
    "read_motion",
    "report_sweep",
    "sin",
    "sinh",
    "sqrt",
    "symbols",
    "t",
    "tan",
    "tanh",
    "vector",
    "verify",
    "verify_papers",
]
