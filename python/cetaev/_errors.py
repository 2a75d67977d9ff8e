"""What the library raises."""

from __future__ import annotations

from typing import Any, Iterable, Optional


class Error(Exception):
    """What the library has to say when something is wrong: a code for programs, a message for people, and the place.

    >>> import cetaev
    >>> try:
    ...     cetaev.Model('coordinates = ["phi"]\\nlagrangian = "phy\\'^2/2"')
    ... except cetaev.Error as error:
    ...     print(error.code, error.line, error.column, error.suggestion)
    unknown-name 2 15 phi
    """

    def __init__(
        self,
        code: str,
        message: str,
        file: Optional[str] = None,
        line: Optional[int] = None,
        column: Optional[int] = None,
        suggestion: Optional[str] = None,
        caret: Optional[str] = None,
        exit_code: int = 2,
    ) -> None:
        super().__init__(code, message, file, line, column, suggestion, message if caret is None else caret, exit_code)

    @property
    def code(self) -> str:
        """As in docs/reference/diagnoses.md: `parse-error`, `unknown-name`, `not-applicable`, …

        >>> import cetaev
        >>> try:
        ...     cetaev.Model("skat")
        ... except cetaev.Error as error:
        ...     print(error.code)
        bad-model
        """
        return self.args[0]

    @property
    def message(self) -> str:
        """What is wrong, without the place.

        >>> import cetaev
        >>> try:
        ...     cetaev.Model("skate", set={"slop": 1})
        ... except cetaev.Error as error:
        ...     print(error.message)
        'slop' is not a parameter, a coordinate, a velocity or t of this model
        """
        return self.args[1]

    @property
    def file(self) -> Optional[str]:
        """In which the mistake is; `<text>`, `<python>` or an option where it is in none. `None` where it has no place in a text.

        >>> import cetaev
        >>> try:
        ...     cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 +")
        ... except cetaev.Error as error:
        ...     print(error.file)
        <python>
        """
        return self.args[2]

    @property
    def line(self) -> Optional[int]:
        """1-based; `None` where the mistake has no place in a text.

        >>> import cetaev
        >>> try:
        ...     cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 +")
        ... except cetaev.Error as error:
        ...     print(error.line)
        2
        """
        return self.args[3]

    @property
    def column(self) -> Optional[int]:
        """1-based, in characters.

        >>> import cetaev
        >>> try:
        ...     cetaev.Model(coordinates=["x"], lagrangian="y^2")
        ... except cetaev.Error as error:
        ...     print(error.column)
        15
        """
        return self.args[4]

    @property
    def suggestion(self) -> Optional[str]:
        """A name that was probably meant.

        >>> import cetaev
        >>> try:
        ...     cetaev.Model("skat")
        ... except cetaev.Error as error:
        ...     print(error.suggestion)
        skate
        """
        return self.args[5]

    @property
    def caret(self) -> str:
        """The message with the line it is about and a caret below the place, as the command line shows it.

        >>> import cetaev
        >>> try:
        ...     cetaev.Model(coordinates=["x"], lagrangian="y^2")
        ... except cetaev.Error as error:
        ...     print(error.caret.splitlines()[1])
            lagrangian = "y^2"
        """
        return self.args[6]

    @property
    def exit_code(self) -> int:
        """What the command line exits with: 2 bad input, 3 the mathematics says no, 4 the machine does, 70 a bug.

        >>> import cetaev
        >>> try:
        ...     cetaev.Model("prescribed-acceleration").equations("gauss")
        ... except cetaev.Error as error:
        ...     print(error.exit_code)
        3
        """
        return self.args[7]

    def __str__(self) -> str:
        without = "error: "  # as the command line begins where there is no place
        told = self.caret.rstrip()
        return f"{self.code}: {told[len(without) :] if told.startswith(without) else told}"


class MissingColumn(Error, KeyError):
    """A column that is not there: a `KeyError`, as of every dictionary, and a `cetaev.Error`, as of everything here.

    >>> import cetaev
    >>> motion = cetaev.Model("skate").run(t_end=1, samples=3)
    >>> try:
    ...     motion["energy"]
    ... except KeyError as error:
    ...     print(error)
    unknown-name: there is no column 'energy'; there are t, x, y, phi, x', y', phi', lambda1, E, residual
    """

    def __init__(self, *about: Any) -> None:
        super().__init__(*about)

    @classmethod
    def of(cls, name: Any, columns: Iterable[str]) -> "MissingColumn":
        """Of a name, and the names that are there.

        >>> import cetaev
        >>> print(cetaev.MissingColumn.of("z", ["x", "y"]))
        unknown-name: there is no column 'z'; there are x, y
        """
        shown = f"'{name}'" if isinstance(name, str) else f"named by {type(name).__name__}"
        return cls("unknown-name", f"there is no column {shown}; there are {', '.join(columns) or 'none'}")

    __str__ = Error.__str__
