"""Do models and papers say the truth?"""

from __future__ import annotations

from typing import Optional

from . import _native
from ._answers import Answer
from ._arguments import Path, path_text
from ._progress import Progress, shown


class Claims(Answer):
    """What became of claims: every key of `cetaev verify --claims --json`, and the pages of them.

    >>> import cetaev, pathlib, tempfile
    >>> claim = '''
    ... id        = "X-1"
    ... where     = "equation (1)"
    ... statement = "The energy is T + V."
    ... verdict   = "holds"
    ... on        = ["skate"]
    ... printed   = "E = T + V"
    ... '''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder) / "claims.toml"
    ...     size = file.write_text("papers = {X = 'A paper'}\\n[[claim]]" + claim)
    ...     found = cetaev.verify_papers(file)
    >>> found["claims"][0]["verdict"], found.html.startswith("<!DOCTYPE html>")
    ('holds', True)
    """

    def __init__(self, document: str, text: str, markdown: str, html: str) -> None:
        super().__init__(document, text)
        self._markdown = markdown
        self._html = html

    @property
    def markdown(self) -> str:
        """As a table of Markdown.

        >>> import cetaev, pathlib, tempfile
        >>> claim = 'id = "X-1"\\nwhere = "(1)"\\nstatement = "E is T + V."\\nverdict = "holds"\\non = ["skate"]\\nprinted = "E = T + V"'
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = pathlib.Path(folder) / "claims.toml"
        ...     size = file.write_text("papers = {X = 'A paper'}\\n[[claim]]\\n" + claim)
        ...     found = cetaev.verify_papers(file)
        >>> "X-1" in found.markdown
        True
        """
        return self._markdown

    @property
    def html(self) -> str:
        """As one self-contained page.

        >>> import cetaev, pathlib, tempfile
        >>> claim = 'id = "X-1"\\nwhere = "(1)"\\nstatement = "E is T + V."\\nverdict = "holds"\\non = ["skate"]\\nprinted = "E = T + V"'
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = pathlib.Path(folder) / "claims.toml"
        ...     size = file.write_text("papers = {X = 'A paper'}\\n[[claim]]\\n" + claim)
        ...     found = cetaev.verify_papers(file)
        >>> found.html.startswith("<!DOCTYPE html>")
        True
        """
        return self._html


def verify(*models: Path, progress: Progress = None) -> Answer:
    """What models claim about themselves, put to the test; the whole gallery where none is named. On all processors; Ctrl-C ends it.

    >>> import cetaev
    >>> [model["passed"] for model in cetaev.verify("skate", "pendulum")["models"]]
    [True, True]
    """
    named = [path_text(model, "a model") for model in models]
    with shown(progress, "models") as told:
        return Answer(*_native.verify_models(named, told))


def verify_papers(claims: Optional[Path] = None, *, progress: Progress = None) -> Claims:
    """What the papers claim, or a file of claims: what holds, what is a slip, what is false. Takes a minute; Ctrl-C ends it.

    >>> import cetaev, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder) / "claims.toml"
    ...     size = file.write_text("nothing = 1")
    ...     try:
    ...         cetaev.verify_papers(file)
    ...     except cetaev.Error as error:
    ...         print(error.code)
    bad-model
    """
    file = None if claims is None else path_text(claims, "a file of claims")
    with shown(progress, "claims") as told:
        return Claims(*_native.verify_claims(file, told))
