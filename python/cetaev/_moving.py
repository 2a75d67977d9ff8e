"""Motions of a model: one, many, and one that is prescribed."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _native, _toml
from ._answers import Answer
from ._arguments import Path, columns_of, equations, finite_list, names, path_text, paths, spare, write_text
from ._checked import checked
from ._motion import Inverse, Motion
from ._progress import Progress, shown
from ._sweep import Sweep, specification


@contextmanager
def _table(columns: Any) -> Iterator[str]:
    """The path of a file with a row for each motion."""
    known = columns_of(columns)
    if columns is None:
        yield ""
    elif known is None:
        yield path_text(columns, "a table")
    else:
        lists = {_toml.text_of(name): np.atleast_1d(finite_list(values, "the columns of a table")) for name, values in known.items()}
        if len({len(values) for values in lists.values()}) != 1:
            raise TypeError("the columns of a table are equally long, and there is one at least")
        import tempfile  # here: few ask

        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "table.csv")
            with open(path, "w", encoding="utf-8", errors="replace") as file:  # a name that is no text is no name of the model's
                for row in (lists, *zip(*lists.values())):
                    file.write(",".join(entry if isinstance(entry, str) else repr(float(entry)) for entry in row) + "\n")
            yield path


class Moving:
    """The motions of a model."""

    _native: Any
    _path: Any

    _about: Dict[str, Any]

    def _driven(self, along: List[str]) -> Any:
        """The native model with a motion to follow."""
        raise NotImplementedError

    def _output(self, out: Optional[Path]) -> str:
        """Where to write, which is not the model itself."""
        if out is None:
            return ""
        name = path_text(out, "a file")
        spare(self._path, name, "the model")
        return name

    @checked
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
        section: Optional[str] = None,
        out: Optional[Path] = None,
        through_singular: bool = False,
        cache: bool = True,
        progress: Progress = None,
    ) -> Motion:
        """The motion from the initial state. What is not given the model says, or the defaults of `cetaev run`.

        `progress` is True for a bar, or a function of the fraction done and the time reached; what it raises ends the motion. Ctrl-C
        ends it, too. Other threads run meanwhile. `variations` names parameters and initial values by which the motion is differentiated
        on its way. `section` names an event of the model whose states take the place of samples at equal times; `out` is FILE.csv or FILE.h5,
        written while the motion is computed.

        >>> import cetaev
        >>> motion = cetaev.Model("skate").run(t_end=2)
        >>> motion.q["x"].shape
        (1001,)
        """
        varied = names(variations, "variations")
        asked = (form, t_end, samples, tolerance, method, backend, through_singular, cache, varied)
        path = self._output(out)
        with shown(progress) as told:
            return Motion(self._moved(asked, section, path, told), (self, asked, section))

    def _moved(self, asked: Any, section: Optional[str], path: str = "", told: Any = None) -> Any:
        return self._native.run(_native.Wishes(*asked), "" if section is None else section, path, told)

    @checked
    def inverse(
        self,
        along: Union[Sequence[Any], Mapping[Any, Any]] = (),
        *,
        motion: Union[Motion, Mapping[str, Any], Path, None] = None,
        t_end: Optional[float] = None,
        samples: Optional[int] = None,
        tolerance: Optional[float] = None,
        progress: Progress = None,
    ) -> Inverse:
        """The forces that make the system follow a motion.

        `along` are equations of positions and time ("x = sin(t)"), or a dictionary of right sides; what is not prescribed moves by itself.

        >>> import cetaev
        >>> free = cetaev.Model(coordinates=["x"], lagrangian="m*x'^2/2", parameters={"m": 3})
        >>> pushed = free.inverse({"x": "t^2"}, t_end=1, samples=3)
        >>> pushed.forces["x"].round(12)
        array([6., 6., 6.])

        Or `motion` is one: a `Motion`, its data frame, a file as `run` writes it, or arrays by their names, `t` and every coordinate.
        """
        followed = equations(along, "along")
        if bool(followed) == (motion is not None):
            raise TypeError("a motion is given by along or by motion, and by one of them")
        if motion is None:
            wishes = _native.Wishes(None, t_end, samples, tolerance, None, None, False, True, [])
            with shown(progress) as told:
                return Inverse(self._about["coordinates"], *self._driven(followed).inverse_along(wishes, told))
        if isinstance(motion, Motion):
            columns: Mapping[str, Any] = {"t": motion.t, **motion.q, **{q + "'": column for q, column in motion.v.items()}}
        else:
            known = columns_of(motion)
            columns = _native.read_columns(path_text(motion, "a motion")) if known is None else known
        table = [(_toml.text_of(name), finite_list(values, "the columns of a motion")) for name, values in columns.items()]
        return Inverse(self._about["coordinates"], *self._native.inverse_through(table))

    def _asked(
        self,
        vary: Any,
        path: str,
        wanted: Tuple[int, int, Any, int, int, str, int, str],
    ) -> Any:
        if vary is not None and not isinstance(vary, Mapping):
            raise TypeError(f"vary is a dictionary of names and values, not {type(vary).__name__}")
        texts = [f"{_toml.text_of(name)}={specification(values)}" for name, values in (vary or {}).items()]
        count, seed, observe, *who = wanted
        return _native.SweepWishes(texts, path, count, seed, names(observe, "observe"), *who)

    @checked
    def sweep(
        self,
        vary: Optional[Mapping[Any, Any]] = None,
        *,
        table: Union[Mapping[Any, Any], Path, None] = None,
        count: int = 0,
        seed: int = 0,
        observe: Sequence[Any] = (),
        t_end: Optional[float] = None,
        tolerance: Optional[float] = None,
        form: Optional[str] = None,
        method: Optional[str] = None,
        threads: int = 0,
        lanes: int = 0,
        device: str = "cpu",
        steps: int = 0,
        precision: str = "double",
        cache: bool = True,
        progress: Progress = None,
    ) -> Sweep:
        """Many motions: parameters and initial values by name, each an array of values, or a specification as of `cetaev sweep` ("uniform(0, 1)").

        Arrays multiply, the last one varies fastest; random ones have `count` draws. In a `table` they stand side by side, a row for each
        motion: arrays of one length by their names, a data frame, or FILE.csv. `observe` are expressions at the end, or
        max(…), min(…), mean(…), time(EVENT), at(…, EVENT); without any, the last state. On all processors, or on `device="gpu"`, there also by
        `steps` equal steps, of numbers of `precision` "double" or "single"; Ctrl-C ends it.

        >>> import cetaev
        >>> import numpy as np
        >>> swept = cetaev.Model("skate").sweep({"phi'": np.linspace(1, 2, 5)}, t_end=1)
        >>> swept["phi"].round(12)
        array([1.  , 1.25, 1.5 , 1.75, 2.  ])
        >>> len(cetaev.Model("skate").sweep(table={"phi'": [1, 2], "m": [3, 4]}, t_end=1))
        2
        """
        wishes = _native.Wishes(form, t_end, None, tolerance, method, None, False, cache, [])
        with _table(table) as path, shown(progress, "motions") as told:
            asked = self._asked(vary, path, (count, seed, observe, threads, lanes, device, steps, precision))
            return Sweep(self._native.sweep(asked, wishes, told))

    @checked
    def sweep_into(
        self,
        out: Path,
        vary: Optional[Mapping[Any, Any]] = None,
        *,
        table: Union[Mapping[Any, Any], Path, None] = None,
        count: int = 0,
        seed: int = 0,
        observe: Sequence[Any] = (),
        t_end: Optional[float] = None,
        tolerance: Optional[float] = None,
        form: Optional[str] = None,
        method: Optional[str] = None,
        threads: int = 0,
        lanes: int = 0,
        device: str = "cpu",
        steps: int = 0,
        precision: str = "double",
        cache: bool = True,
        resume: bool = False,
        shard: Optional[str] = None,
        progress: Progress = None,
    ) -> Answer:
        """A sweep that is too large for memory, into FILE.h5 or FILE.csv, written while it is computed: how many motions finished, and how fast.

        What and how as of `sweep`. With `resume` it goes on with what is missing in the file; `shard` is "K/N", one of N parts for
        `merge_sweeps`. h5py reads the file: /inputs, /outputs, /status, /t.

        >>> import cetaev, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     cetaev.Model("skate").sweep_into(folder + "/skate.csv", {"phi'": [1, 2, 3]}, t_end=1)["finished"]
        3
        """
        wishes = _native.Wishes(form, t_end, None, tolerance, method, None, False, cache, [])
        if out is None:
            raise TypeError("out is the path of a file")
        to = self._output(out)
        with _table(table) as path, shown(progress, "motions") as told:
            asked = self._asked(vary, path, (count, seed, observe, threads, lanes, device, steps, precision))
            return Answer(*self._native.sweep_into(asked, wishes, to, resume, shard, told))


def merge_sweeps(parts: Sequence[Path], out: Path) -> Answer:
    """Parts of one sweep, which `sweep_into` has written with `shard`, as one file.

    >>> import cetaev, tempfile
    >>> skate = cetaev.Model("skate")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     whole = folder + "/skate.csv"
    ...     parts = [skate.sweep_into(whole, {"m": [1, 2]}, t_end=1, shard=part)["out"] for part in ("1/2", "2/2")]
    ...     cetaev.merge_sweeps(parts, whole)["finished"]
    2
    """
    return Answer(*_native.merge_sweeps(paths(parts, "parts"), path_text(out, "a file")))


def report_sweep(sweep: Path, path: Optional[Path] = None) -> str:
    """A sweep in FILE.h5, as `sweep_into` writes it, as one self-contained HTML page, written to `path` where there is one: how its motions
    ended, what was observed over what varied, and the model.

    >>> import cetaev, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     done = cetaev.Model("skate").sweep_into(folder + "/skate.h5", {"phi'": [1, 2, 3]}, t_end=1)
    ...     page = cetaev.report_sweep(folder + "/skate.h5")
    >>> page.startswith("<!DOCTYPE html>"), "3 motions" in page
    (True, True)
    """
    from shlex import quote  # here: few ask

    source = path_text(sweep, "a sweep")
    to = os.path.splitext(os.path.basename(source))[0] + ".html" if path is None else path_text(path, "a file")
    spare(source, to, "the sweep")
    page = _native.report_sweep(source, f"cetaev report {quote(source)} -o {quote(to)}")
    if path is not None:
        write_text(to, page)
    return page
