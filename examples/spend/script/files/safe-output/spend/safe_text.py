"""Text from others (a bank, a shop) made harmless where it is shown or handed on."""

import unicodedata

# What makes a spreadsheet take a cell for a formula: OWASP, CSV injection.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")

# Signs that turn the direction of writing, so that a line reads otherwise than it is: Unicode, annex 9.
_DIRECTION_SIGNS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def spreadsheet_cell(text: str) -> str:
    """Text as a cell that no spreadsheet takes for a formula: those that could be one begin with an apostrophe."""
    return f"'{text}" if _looks_like_formula(text) else text


def plain_cell(cell: str) -> str:
    """The text that ``spreadsheet_cell`` was given."""
    return cell[1:] if cell.startswith("'") and _looks_like_formula(cell) else cell


def printable(text: str) -> str:
    """Text without what a terminal obeys; a replacement character shows where something was."""
    return "".join("\ufffd" if _commands(character) else character for character in text)


def _looks_like_formula(text: str) -> bool:
    # Apostrophes before it do not count, so that a text which had one already comes back with it.
    return text.lstrip("'").startswith(_FORMULA_STARTS)


def _commands(character: str) -> bool:
    return unicodedata.category(character) == "Cc" or character in _DIRECTION_SIGNS
