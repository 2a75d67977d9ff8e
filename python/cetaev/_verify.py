"""Do models and papers say the truth?"""

from __future__ import annotations

from typing import Optional

from . import _native
from ._answers import Answer
from ._arguments import Path, path_text
from ._progress import Progress, shown


def verify(*models: Path, progress: Progress = None) -> Answer:
    """What models claim about themselves, put to the test; the whole gallery where none is named. On all processors; Ctrl-C ends it.

    >>> import cetaev
    >>> [model["passed"] for model in cetaev.verify("skate", "pendulum")["models"]]
    [True, True]
    """
    named = [path_text(model, "a model") for model in models]
    with shown(progress, "models") as told:
        return Answer(*_native.verify_models(named, told))


def verify_papers(claims: Optional[Path] = None, *, progress: Progress = None) -> Answer:
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
        return Answer(*_native.verify_claims(file, told))
