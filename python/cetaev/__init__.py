"""Equations and motion of constrained mechanical systems.

>>> import cetaev
>>> model = cetaev.Model("skate")
>>> model.check()["energy"]["conserved"]
True
>>> motion = model.run(t_end=2)
>>> motion.status
'finished'
"""

from ._answers import Answer, Check, Equations, PointsOfView
from ._asking import report_gallery
from ._columns import Columns, States, Variation
from ._errors import Error, MissingColumn
from ._expressions import Eq, Equation, Expression, Frame, expression, frames, multiplier, pi, symbols, t, vector
from ._function import Function
from ._functions import (
    acos,
    acosh,
    am,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    cn,
    components,
    cos,
    cosh,
    cross,
    dn,
    dot,
    ellipticE,
    ellipticEpsilon,
    ellipticF,
    ellipticK,
    exp,
    log,
    norm,
    omega,
    sin,
    sinh,
    sn,
    sqrt,
    tan,
    tanh,
)
from ._model import Model, gallery
from ._motion import Inverse, Motion, read_motion
from ._moving import merge_sweeps, report_sweep
from ._native import version as __version__
from ._plot import plot
from ._small_motions import Branch, Chart, LinearEquations, Linearization
from ._sweep import Sweep
from ._verify import Claims, verify, verify_papers

__all__ = [
    "Answer",
    "Branch",
    "Chart",
    "Check",
    "Claims",
    "Columns",
    "Eq",
    "Equation",
    "Equations",
    "Error",
    "Expression",
    "Frame",
    "Function",
    "Inverse",
    "LinearEquations",
    "Linearization",
    "MissingColumn",
    "Model",
    "Motion",
    "PointsOfView",
    "States",
    "Sweep",
    "Variation",
    "acos",
    "acosh",
    "am",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cn",
    "components",
    "cos",
    "cosh",
    "cross",
    "dn",
    "dot",
    "ellipticE",
    "ellipticEpsilon",
    "ellipticF",
    "ellipticK",
    "exp",
    "expression",
    "frames",
    "gallery",
    "log",
    "merge_sweeps",
    "multiplier",
    "norm",
    "omega",
    "pi",
    "plot",
    "read_motion",
    "report_gallery",
    "report_sweep",
    "sin",
    "sinh",
    "sn",
    "sqrt",
    "symbols",
    "t",
    "tan",
    "tanh",
    "vector",
    "verify",
    "verify_papers",
]
