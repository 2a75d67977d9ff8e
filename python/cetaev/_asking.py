"""What kind of system a model is, and its equations."""

from __future__ import annotations

from typing import Any, List, Optional, Sequence

from . import _native
from ._answers import Answer, Check, Equations, PointsOfView
from ._arguments import Path, names, path_text, spare, write_text
from ._checked import checked
from ._function import Function
from ._progress import Progress, shown
from ._toml import settings


class Asking:
    """The questions about a model that need no motion."""

    _native: Any
    _source: Any
    _path: Any
    _about: Any
    _values: Any

    @checked
    def check(self, form: Optional[str] = None) -> Check:
        """What kind of system it is: constraints, energy, integrals, with the grounds of each verdict.

        >>> import cetaev
        >>> cetaev.Model("skate").check()["set"]["caplygin"]
        True
        """
        found = Check(*self._native.check(form))
        found._coordinates = self._about["coordinates"]
        return found

    @checked
    def eval(self, *forms: str, propose_auxiliary: bool = False, zero_relations: bool = False) -> Answer:
        """Accelerations under the principles named (all where none is), multipliers and residuals at the initial state.

        >>> import cetaev
        >>> here = cetaev.Model("skate").eval("multipliers", "voronec")
        >>> here["forms"]["multipliers"]["a"]["x"] == here["forms"]["voronec"]["a"]["x"]
        True

        With `propose_auxiliary` auxiliary functions are looked for with which mvm2 gives the motion of d'Alembert and
        Lagrange; with `zero_relations`, too, only those whose transpositional relations are zero.
        """
        return Answer(*self._native.eval(list(forms), propose_auxiliary, zero_relations))

    @checked
    def equations(
        self,
        *forms: str,
        show: Sequence[str] = (),
        energy: bool = False,
        numeric: bool = False,
        expand: bool = False,
        eliminate: bool = False,
        budget: float = 10,
    ) -> Equations:
        """The equations of motion under the principles named, or under all of them.

        >>> import cetaev
        >>> cetaev.Model("skate").equations("voronec").forms
        ['voronec']

        `show` names objects of the papers (W, Omega, A, C, D, E, G, S, Lstar, alpha, B, F1, action), which come with them, or alone
        where no principle is named:

        >>> print(cetaev.Model("skate").equations(show=["alpha"]).text.splitlines()[-1].strip())
        alpha[y] = x'*sin(phi)/cos(phi)
        """
        asked = (list(forms), names(show, "show"), energy, numeric, expand, eliminate, False, budget)
        return Equations(*self._native.equations(_native.Reading(*asked)), (self, asked))

    @checked
    def article(
        self, *forms: str, numeric: bool = False, expand: bool = False, eliminate: bool = False, budget: float = 10
    ) -> str:
        """A complete article in LaTeX: the model, what kind of system it is, the equations, the energy.

        >>> import cetaev
        >>> cetaev.Model("skate").article("voronec").splitlines()[0]
        '\\\\documentclass[a4paper]{article}'
        """
        wanted = _native.Reading(list(forms), [], True, numeric, expand, eliminate, True, budget)
        return self._native.equations(wanted)[0]

    def transpose(self) -> PointsOfView:
        """Points of view on the transpositional relations, and the motion that follows from each.

        >>> import cetaev
        >>> [(view["name"], view["motion"]) for view in cetaev.Model("skate").transpose()["views"]][:2]
        [('hoelder', 'vakonomic'), ('suslov', 'other')]
        """
        return PointsOfView(*self._native.transpose())

    @checked
    def code(self, language: str, form: Optional[str] = None) -> str:
        """The equations as source code: c, cpp, python, cuda or matlab.

        >>> import cetaev
        >>> "def " in cetaev.Model("skate").code("python")
        True
        """
        return self._native.code(language, form)

    @checked
    def function(self, form: Optional[str] = None) -> Function:
        """The equations as a compiled function for SciPy.

        >>> import cetaev
        >>> cetaev.Model("skate").function("hamel")
        <Function of hamel: x, y, phi, u, w>
        """
        return Function(self._native.function(form), (self, form))

    def verify(self, *, progress: Progress = None) -> Answer:
        """What the model claims about itself, put to the test.

        >>> import cetaev
        >>> cetaev.Model("skate").verify()["passed"]
        True
        """
        with shown(progress, "models") as told:
            return Answer(*self._native.verify(self._source[0], told))

    def _on_the_command_line(self) -> str:
        """The words that name the model there; one that is in no file has its text on the page."""
        from shlex import quote  # here: few ask

        name, text = self._source
        known = self._path if self._path else name if text is None else "model.toml"
        return " ".join([quote(known), *(f"--set {quote(one)}" for one in settings(self._values))])

    @checked
    def report(
        self,
        path: Optional[Path] = None,
        *,
        t_end: Optional[float] = None,
        samples: Optional[int] = None,
        form: Optional[str] = None,
        budget: float = 0.6,
    ) -> str:
        """The whole story of the model as one self-contained HTML page, written to `path` where there is one.

        >>> import cetaev
        >>> cetaev.Model("pendulum").report(t_end=1).startswith("<!DOCTYPE html>")
        True
        """
        to = None if path is None else path_text(path, "a report")
        if to is not None:
            spare(self._path, to, "the model")
        wishes = _native.Wishes(form, t_end, samples, None, None, None, False, True, [])
        asked = [self._on_the_command_line(), *_options(form=form, t_end=t_end, samples=samples)]
        out = [] if to is None else _options(o=to)
        command, run = " ".join(["cetaev report", *asked, *out]), " ".join(["cetaev run", *asked, "--json", "--trajectory"])
        page = self._native.report(wishes, budget, command, run)
        if path is not None:
            write_text(path, page)
        return page


def _options(**given: Any) -> List[str]:
    """As a shell takes them; what is not given has none."""
    from shlex import quote  # here: few ask

    words = []
    for name, value in given.items():
        if value is None:
            continue
        whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e15
        shown = str(int(value) if whole else value)
        words.append(f"{'-' if len(name) == 1 else '--'}{name.replace('_', '-')} {quote(shown)}")
    return words


@checked
def report_gallery(folder: Path, *models: str, budget: float = 0.6, threads: int = 0, progress: Progress = None) -> str:
    """The reports of models of the gallery, of all where none is named, and an index of them, whose path it hands back: what
    `cetaev report --gallery` writes. All of them take about a minute on two cores; Ctrl-C ends it.

    >>> import cetaev, os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     index = cetaev.report_gallery(folder, "skate", "pendulum")
    ...     sorted(os.listdir(folder))
    ['index.html', 'pendulum.html', 'skate.html']
    """
    named = [path_text(model, "a model") for model in models]
    with shown(progress, "reports") as told:
        return _native.report_gallery(path_text(folder, "a folder"), named, budget, threads, told)
