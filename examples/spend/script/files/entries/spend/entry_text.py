"""Entries as lines of text."""

from spend.entry import Entry
from spend.money import format_amount


def entry_line(entry: Entry) -> str:
    """One entry on one line: ``#7  2024-03-01  12.50  food  Lunch``."""
    cells = (f"#{entry.id}", entry.day.isoformat(), format_amount(entry.cents), entry.category, entry.description)
    return "  ".join(cell for cell in cells if cell)
