"""For what notebooks show."""

from __future__ import annotations


def escape(text: str) -> str:
    """Text in HTML, in quotes too."""
    import html  # here: few ask, and its table of names would be a tenth of the time of `import cetaev`

    return html.escape(text, quote=True)
