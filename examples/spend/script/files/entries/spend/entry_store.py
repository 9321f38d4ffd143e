"""Keeps entries in the database."""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from spend.entry import Entry
from spend.errors import SpendError


@dataclass(frozen=True, slots=True)
class EntryFilter:
    """Which entries are wanted; both days are included, and what is left out fits any entry."""

    first: date | None = None
    last: date | None = None
    category: str | None = None
    text: str | None = None


class EntryStore:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def add(self, day: date, cents: int, category: str, description: str) -> Entry:
        cursor = self._connection.execute(
            "INSERT INTO entries (day, cents, category, description) VALUES (?, ?, ?, ?)",
            (day.isoformat(), cents, category, description),
        )
        return self.get(int(cursor.lastrowid or 0))

    def get(self, entry_id: int) -> Entry:
        row = self._connection.execute("SELECT * FROM entries WHERE id = ?", (entry_id,)).fetchone()
        if row is None:
            raise SpendError(f"There is no entry #{entry_id}. `spend list` shows those there are.")
        return _entry(row)

    def find(self, wanted: EntryFilter = EntryFilter()) -> Iterator[Entry]:
        """The entries that fit, oldest first."""
        where, values = _conditions(wanted)
        for row in self._connection.execute(f"SELECT * FROM entries{where} ORDER BY day, id", values):
            yield _entry(row)

    def update(self, entry: Entry) -> None:
        self._connection.execute(
            "UPDATE entries SET day = ?, cents = ?, category = ?, description = ? WHERE id = ?",
            (entry.day.isoformat(), entry.cents, entry.category, entry.description, entry.id),
        )

    def delete(self, entry_ids: Sequence[int]) -> list[Entry]:
        """Deletes these entries, or none of them where one is missing; returns what they were."""
        entries = [self.get(entry_id) for entry_id in dict.fromkeys(entry_ids)]
        self._connection.executemany("DELETE FROM entries WHERE id = ?", [(entry.id,) for entry in entries])
        return entries


def _conditions(wanted: EntryFilter) -> tuple[str, list[str]]:
    conditions: list[str] = []
    values: list[str] = []
    for condition, value in (
        ("day >= ?", wanted.first and wanted.first.isoformat()),
        ("day <= ?", wanted.last and wanted.last.isoformat()),
        ("category = ?", wanted.category),
        ("instr(lower(description), lower(?)) > 0", wanted.text),
    ):
        if value:
            conditions.append(condition)
            values.append(value)
    return (" WHERE " + " AND ".join(conditions) if conditions else ""), values


def _entry(row: sqlite3.Row) -> Entry:
    return Entry(row["id"], date.fromisoformat(row["day"]), row["cents"], row["category"], row["description"])
