"""Writes entries in forms that other programs read."""

import csv
import json
from collections.abc import Iterable
from typing import TextIO

from spend.entry import Entry

COLUMNS = ("id", "date", "amount", "category", "description")


def write_csv(entries: Iterable[Entry], output: TextIO) -> int:
    """Writes a header and a line for each entry; returns how many there were."""
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow(COLUMNS)
    count = 0
    for count, entry in enumerate(entries, start=1):
        writer.writerow(
            (entry.id, entry.day.isoformat(), decimal_text(entry.cents), entry.category, entry.description)
        )
    return count


def write_json(entries: Iterable[Entry], output: TextIO) -> int:
    """Writes one array, an object a line; returns how many there were."""
    count = 0
    output.write("[")
    for count, entry in enumerate(entries, start=1):
        values = (entry.id, entry.day.isoformat(), decimal_text(entry.cents), entry.category, entry.description)
        output.write(",\n  " if count > 1 else "\n  ")
        json.dump(dict(zip(COLUMNS, values)), output, ensure_ascii=False)
    output.write("\n]\n" if count else "]\n")
    return count


def decimal_text(cents: int) -> str:
    """Cents as a plain decimal number, exact and without separators: ``-1234.50``."""
    sign = "-" if cents < 0 else ""
    whole, fraction = divmod(abs(cents), 100)
    return f"{sign}{whole}.{fraction:02d}"
