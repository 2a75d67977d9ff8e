"""Many motions of one model, as arrays."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List

import numpy as np

from . import _toml
from ._arguments import column_name, finite_list, holds
from ._checked import optional
from ._show import escape

WORDS = ("finished", "singular", "event", "failed", "interrupted")


def specification(values: Any) -> str:
    """What varies, as `cetaev sweep --vary` has it: a text as it stands, or the list of these numbers."""
    if isinstance(values, str):
        return values
    array = finite_list(values, "values that vary")
    return "[" + ", ".join(_toml.number_text(float(value)) for value in np.atleast_1d(array)) + "]"


class Sweep:
    """The motions of a sweep, one row each: what varied, what was observed, and how each ended.

    >>> import cetaev
    >>> swept = cetaev.Model("pendulum").sweep({"g": [9, 10]}, observe=["max(x)", "y"], t_end=1)
    >>> swept.names, len(swept)
    (['g', 'max(x)', 'y'], 2)
    >>> list(swept.status)
    ['finished', 'finished']
    """

    def __init__(self, rows: Dict[str, Any]) -> None:
        self._rows = rows
        self._status = np.array(WORDS)[rows["status"]]
        self._inputs: List[str] = rows["input_names"]
        self._outputs: List[str] = rows["output_names"]

    @property
    def inputs(self) -> np.ndarray:
        """What varied: a row for each motion.

        >>> import cetaev
        >>> cetaev.Model("skate").sweep({"m": [1, 2], "g": [9, 10]}, t_end=1).inputs
        array([[ 1.,  9.],
               [ 1., 10.],
               [ 2.,  9.],
               [ 2., 10.]])
        """
        return self._rows["inputs"]

    @property
    def outputs(self) -> np.ndarray:
        """What was observed: a row for each motion, NaN where there is no value.

        >>> import cetaev
        >>> cetaev.Model("skate").sweep({"phi'": [1, 2]}, observe=["phi", "phi/2"], t_end=1).outputs.round(12)
        array([[1. , 0.5],
               [2. , 1. ]])
        """
        return self._rows["outputs"]

    @property
    def t(self) -> np.ndarray:
        """The times of the last states.

        >>> import cetaev
        >>> cetaev.Model("skate").sweep({"m": [1, 2]}, t_end=1).t
        array([1., 1.])
        """
        return self._rows["t"]

    @property
    def status(self) -> np.ndarray:
        """How each motion ended, in the words of `cetaev run`.

        >>> import cetaev
        >>> list(cetaev.Model("skate").sweep({"m": [1, 2]}, t_end=1).status)
        ['finished', 'finished']
        """
        return self._status

    @property
    def counts(self) -> Dict[str, Any]:
        """How many finished, and so on; threads and seconds.

        >>> import cetaev
        >>> cetaev.Model("skate").sweep({"m": [1, 2]}, t_end=1).counts["finished"]
        2
        """
        return dict(self._rows["counts"])

    @property
    def names(self) -> List[str]:
        """Of the columns: what varied, then what was observed.

        >>> import cetaev
        >>> cetaev.Model("skate").sweep({"m": [1, 2]}, observe=["max(x)"], t_end=1).names
        ['m', 'max(x)']
        """
        return [*self._inputs, *self._outputs]

    def __len__(self) -> int:
        return len(self.t)

    def __getitem__(self, name: Any) -> np.ndarray:
        """A column by its name; of two with the same name, what was observed.

        >>> import cetaev
        >>> cetaev.Model("skate").sweep({"m": [1, 2]}, t_end=1)["m"]
        array([1., 2.])
        """
        name = column_name(name, self.names)
        if name in self._outputs:
            return self.outputs[:, self._outputs.index(name)]
        return self.inputs[:, self._inputs.index(name)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)  # as of a data frame, whose length is that of its columns, too

    def __contains__(self, name: Any) -> bool:
        return holds(self.names, name)

    def to_dataframe(self) -> Any:
        """As a pandas DataFrame: what varied, what was observed, `t` and `status`.

        >>> import cetaev
        >>> list(cetaev.Model("skate").sweep({"m": [1, 2]}, observe=["max(x)"], t_end=1).to_dataframe())
        ['m', 'max(x)', 't', 'status']
        """
        pandas = optional("pandas", "to_dataframe()")
        return pandas.DataFrame({**self._varied(), **self._seen()})

    def to_xarray(self) -> Any:
        """As an xarray Dataset: what was observed, `t` and `status` along what varied, where that is a grid, else along `motion`.

        >>> import cetaev
        >>> swept = cetaev.Model("skate").sweep({"m": [1, 2], "g": [9, 10, 11]}, observe=["max(x)"], t_end=1).to_xarray()
        >>> dict(swept.sizes), float(swept["max(x)"].sel(m=2, g=10)) > 0
        ({'m': 2, 'g': 3}, True)
        """
        xarray = optional("xarray", "to_xarray()")
        varied, seen = self._varied(), self._seen()
        axes = {name: np.unique(values) for name, values in varied.items()}
        sizes = [len(values) for values in axes.values()]
        order = np.lexsort(list(varied.values())[::-1])
        complete = len(self) == np.prod(sizes) and len(np.unique(self.inputs, axis=0)) == len(self)
        if not complete:
            along = {name: ("motion", values) for name, values in varied.items()}
            return xarray.Dataset({name: ("motion", values) for name, values in seen.items()}, coords=along)
        return xarray.Dataset({name: (list(axes), values[order].reshape(sizes)) for name, values in seen.items()}, coords=axes)

    def _varied(self) -> Dict[str, np.ndarray]:
        """What varied; "x (start)" where x was observed, too."""
        taken = {*self._outputs, "t", "status"}
        return {f"{name} (start)" if name in taken else name: self.inputs[:, i] for i, name in enumerate(self._inputs)}

    def _seen(self) -> Dict[str, np.ndarray]:
        seen = {name: self.outputs[:, i] for i, name in enumerate(self._outputs)}
        return {**seen, "t": self.t, "status": self.status}

    def __repr__(self) -> str:
        told = ", ".join(f"{self.counts[word]} {word}" for word in ("finished", "singular", "event", "failed") if self.counts[word])
        return f"<Sweep of {len(self)} motions: {told}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(repr(self))}</pre>"
