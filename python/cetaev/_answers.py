"""Answers of a model: the documents of the command line's JSON, which know how to show themselves."""

from __future__ import annotations

import json
from typing import Any, Dict, Iterator, List, Sequence, Tuple

from . import _native
from ._errors import Error
from ._show import escape
from ._trees import from_flat


# What TeX has commands for in a text.
_SIGNS = {"\\v{C}": "Č", "\\v{c}": "č", "--": "–", "\\textasciicircum{}": "^", "\\textasciitilde{}": "~", "'{}'": "''", "\\_": "_", "\\%": "%", "\\&": "&", "\\#": "#"}


def in_notebooks(latex: str) -> str:
    """As notebooks take it, which know formulas and no pages: headings are formulas, too, and words are plain."""
    import re

    inside = r"((?:[^{}]|\{[^{}]*\})*)"
    symbol = re.compile(r"\\ensuremath\{" + inside + r"\}")
    text = "\n".join(line for line in latex.splitlines() if line and not line.startswith("%"))
    text = re.sub(r"\\text\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}", lambda words: symbol.sub(r"$\1$", words.group()), text)
    lines = []
    for line in text.splitlines():
        words, count = re.subn(r"^\\par(?:\\medskip)?\\noindent ?", "", line)
        if count or line.startswith(("The ", "This ", "They ", "where")):
            words = symbol.sub(r"$\1$", re.sub(r"\\texttt\{" + inside + r"\}", r"\1", words))
            for command, sign in _SIGNS.items():
                words = words.replace(command, sign)
            words = re.sub(r"^\\textbf\{(.*)\}$", r"$\\textbf{\1}$", words)
        lines.append(symbol.sub(r"\1", words))
    return "\n".join(lines)


def _at(document: Any, keys: Tuple[Any, ...]) -> Any:
    """What stands there."""
    for depth, key in enumerate(keys):
        if not isinstance(key, (str, int)):
            raise TypeError(f"keys are names and numbers, not {type(key).__name__}")
        try:
            document = document[key]
        except (KeyError, IndexError, TypeError):
            raise Error("unknown-name", f"the answer has nothing at {keys[: depth + 1]!r}") from None
    return document


class Answer(Dict[str, Any]):
    """A JSON document of the command line as a dictionary, with its text for people.

    >>> import cetaev
    >>> here = cetaev.Model("skate").eval("multipliers")
    >>> here["rank"]
    1
    >>> print(here.text.splitlines()[0])
    Skate on an inclined plane
    """

    _coordinates: Sequence[str] = ()

    def __init__(self, document: str, text: str) -> None:
        super().__init__(json.loads(document))
        self._text = text

    @property
    def text(self) -> str:
        """What the command line prints.

        >>> import cetaev
        >>> print(cetaev.Model("skate").check().text.splitlines()[3])
        3 coordinates: x, y, phi
        """
        return self._text

    def sympy(self, *keys: Any) -> Any:
        """What stands at these keys in SymPy: a text in the language of model files, or a list or dictionary of such texts.

        >>> import cetaev
        >>> check = cetaev.Model("skate").check()
        >>> check.sympy("first_integrals", 0, "expression")
        J*Derivative(phi(t), t)
        >>> check.sympy("symmetry", "fields")
        [{'y': 1}]
        """
        from ._sympy import parsed

        here = self.get("q")
        return parsed(_at(self, keys), self._coordinates or (list(here) if isinstance(here, dict) else []))

    def __str__(self) -> str:
        return self.text.rstrip("\n")

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


class Check(Answer):
    """What kind of system a model is: every key of `cetaev check --json`.

    >>> import cetaev
    >>> check = cetaev.Model("skate").check()
    >>> check["set"]["degrees_of_freedom"], check["energy"]["conserved"]
    (2, True)
    >>> print(check.sentences[1])
    The constraint is linear in the velocities; its rank is 1.
    """

    def __init__(self, document: str, text: str, *sentences: str) -> None:
        super().__init__(document, text)
        self._sentences = sentences

    @property
    def sentences(self) -> List[str]:
        """The verdicts in words.

        >>> import cetaev
        >>> cetaev.Model("skate").check().sentences[0]
        'The system has 3 coordinates and 2 degrees of freedom.'
        """
        return list(self._sentences)

    def _repr_html_(self) -> str:
        return "<ul>" + "".join(f"<li>{escape(s)}</li>" for s in self.sentences) + "</ul>"


class PointsOfView(Answer):
    """Points of view on the transpositional relations: every key of `cetaev transpose --json`.

    >>> import cetaev
    >>> "pmatrix" in cetaev.Model("skate").transpose().latex
    True
    """

    def __init__(self, document: str, text: str, latex: str) -> None:
        super().__init__(document, text)
        self._latex = latex

    @property
    def latex(self) -> str:
        """The matrices and the table of what holds; needs amsmath.

        >>> import cetaev
        >>> cetaev.Model("skate").transpose().latex.count("pmatrix") > 0
        True
        """
        return self._latex


def _nested(told: Any, places: Iterator[List[int]], trees: List[Any]) -> Any:
    """Entries nested as their indices are, with the trees that come next."""
    if isinstance(told, list):
        return [_nested(one, places, trees) for one in told]
    return {**told, "terms": [trees[i] for i in next(places)]}


class Equations:
    """Equations of motion for a reader, under one principle or several.

    >>> import cetaev
    >>> equations = cetaev.Model("skate").equations("hamel")
    >>> print(equations.text.splitlines()[-1].strip())
    w' = 0
    """

    def __init__(self, document: str, text: str, unicode: str, latex: str, asked: Any = None) -> None:
        self._document = json.loads(document)
        self._asked = asked  # of which model what
        self._text = text
        self._unicode = unicode
        self._latex = latex

    @property
    def document(self) -> Dict[str, Any]:
        """Every key of `cetaev derive --format json`: expressions as trees.

        >>> import cetaev
        >>> cetaev.Model("skate").equations("hamel").document["coordinates"]
        ['x', 'y', 'phi']
        """
        return self._document

    @property
    def text(self) -> str:
        """In the language of model files.

        >>> import cetaev
        >>> print(cetaev.Model("skate").equations("hamel").text.splitlines()[-2].strip())
        u' = g*sin(slope)*cos(phi)
        """
        return self._text

    @property
    def unicode(self) -> str:
        """With dots, Greek letters and indices.

        >>> import cetaev
        >>> print(cetaev.Model("skate").equations("hamel").unicode.splitlines()[-2].strip())
        u̇ = g sin(slope) cos φ
        """
        return self._unicode

    @property
    def latex(self) -> str:
        """An align environment for each form; needs amsmath.

        >>> import cetaev
        >>> r"\\end{align}" in cetaev.Model("skate").equations("hamel").latex
        True
        """
        return self._latex

    @property
    def forms(self) -> List[str]:
        """The principles that have equations here.

        >>> import cetaev
        >>> cetaev.Model("skate").equations("voronec", "gauss").forms
        ['gauss', 'voronec']
        """
        return [form["name"] for form in self._document["forms"] if "error" not in form]

    def sympy(self, *keys: Any) -> Any:
        """The equations of motion and the constraints in SymPy: a list of `sympy.Eq`, or lists by the name of the form.

        Coordinates are functions of t and their velocities derivatives; what has a name in the equations is written out.

        >>> import cetaev
        >>> equations = cetaev.Model("skate").equations("hamel", energy=True)
        >>> equations.sympy()[-1]
        Eq(Derivative(w(t), t), 0)

        Of keys, what stands there in the `document`, with its trees in SymPy, and definitions by their left sides:

        >>> equations.sympy("energy")["lambda J v"]
        lambda1*sin(phi(t))*Derivative(x(t), t) - lambda1*cos(phi(t))*Derivative(y(t), t)
        >>> equations.sympy("forms", 0, "definitions")["w"]
        Derivative(phi(t), t)
        """
        from ._sympy import converted, equations

        document = self._whole()
        if keys:
            return converted(document, keys, _at(document, keys))
        return equations(document)

    def _whole(self) -> Dict[str, Any]:
        """The document, with trees in the place of remarks that they are too long for one."""
        if self._asked is None or '"too-long"' not in json.dumps(self._document):
            return self._document
        model, asked = self._asked
        entries, named, flat, energy, objects = model._native.flat_equations(_native.Reading(*asked))
        trees = from_flat(entries)

        def defined(lines: List[Any], places: List[Any]) -> List[Any]:
            return [{**line, ("components" if "components" in line else "terms"): [trees[i] for i in at]} for line, at in zip(lines, places)]

        forms = []
        for form, (sides, where, definitions) in zip(self._document["forms"], flat):
            if "error" not in form:
                told = form["equations"] + form["constraints"]
                whole = [{**e, "left": [trees[i] for i in left], "right": [trees[i] for i in right]} for e, (left, right) in zip(told, sides)]
                count = len(form["equations"])
                form = {**form, "equations": whole[:count], "constraints": whole[count:], "where": defined(form["where"], where),
                        "definitions": defined(form["definitions"], definitions)}
            forms.append(form)
        result = {**self._document, "names": defined(self._document["names"], named), "forms": forms}
        if energy:
            result["energy"] = defined(self._document["energy"], energy)
        if objects:
            result["objects"] = {
                name: {**told, "arrays": [{**array, "entries": _nested(array["entries"], iter(entries), trees)} for array, entries in zip(told["arrays"], arrays)]}
                for (name, told), arrays in zip(self._document["objects"].items(), objects)
            }
        return result

    def __str__(self) -> str:
        return self.unicode.rstrip("\n")

    def __repr__(self) -> str:
        return f"<Equations of {self._document['model']}: {', '.join(self.forms)}>"

    def _repr_latex_(self) -> str:
        return in_notebooks(self.latex)
