"""Amounts of money: whole cents, which never pass through a float."""

import re

from spend.errors import SpendError

# Far beyond any household, and far below what SQLite and a spreadsheet can hold exactly.
LARGEST_CENTS = 10**14

_SPACES = str.maketrans("", "", " \u00a0\u202f'")


def parse_amount(text: str, decimal: str = ".") -> int:
    """Reads an amount such as ``12``, ``-3.5`` or ``1,234.50`` as cents.

    ``decimal`` is the sign before the cents; the other one of ``.`` and ``,`` may separate thousands.
    """
    group = "," if decimal == "." else "."
    plain = text.translate(_SPACES).replace("\u2212", "-")
    pattern = rf"([+-]?)(\d+|\d{{1,3}}(?:{re.escape(group)}\d{{3}})+)(?:{re.escape(decimal)}(\d{{1,2}}))?"
    match = re.fullmatch(pattern, plain, re.ASCII)
    if match is None:
        raise SpendError(f"Expected an amount such as 12{decimal}50, got {text!r}.")
    sign, whole, fraction = match.groups()
    cents = int(whole.replace(group, "")) * 100 + int((fraction or "").ljust(2, "0"))
    if cents > LARGEST_CENTS:
        raise SpendError(f"Expected an amount up to {format_amount(LARGEST_CENTS)}, got {text!r}.")
    return -cents if sign == "-" else cents


def format_amount(cents: int) -> str:
    """Writes cents as an amount with thousands separated: ``-1,234.50``."""
    sign = "-" if cents < 0 else ""
    whole, fraction = divmod(abs(cents), 100)
    return f"{sign}{whole:,}.{fraction:02d}"
