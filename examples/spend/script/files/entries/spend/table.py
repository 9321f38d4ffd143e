"""Text tables whose columns line up."""

import unicodedata
from collections.abc import Collection, Sequence


def render_table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> str:
    """Lays out rows below a header; the columns numbered in ``right`` are aligned to the right."""
    lines = [header, *rows]
    widths = [max(text_width(line[column]) for line in lines) for column in range(len(header))]
    return "\n".join(
        "  ".join(pad(cell, widths[column], column in right) for column, cell in enumerate(line)).rstrip()
        for line in lines
    )


def pad(text: str, width: int, right: bool = False) -> str:
    """Fills text up to a number of terminal cells."""
    space = " " * (width - text_width(text))
    return space + text if right else text + space


def text_width(text: str) -> int:
    """How many cells of a terminal the text takes."""
    return sum(_cells(character) for character in text)


def _cells(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
