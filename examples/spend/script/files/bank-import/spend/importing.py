"""Takes the rows of a bank's export into the database, each of them once."""

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from spend.bank_csv import BankRow
from spend.rule_store import RuleStore, choose_category


@dataclass(frozen=True, slots=True)
class ImportResult:
    added: int
    duplicates: int
    incoming: int


def import_rows(connection: sqlite3.Connection, rows: Iterable[BankRow], default_category: str) -> ImportResult:
    """Adds the rows that were spent and are not in the database yet.

    Two equal rows in one file are two expenses (two coffees in a day), so a row is known by its content and by how
    many equal ones came before it. The same file again, or one that overlaps with it, then adds only what is new.
    """
    rules = RuleStore(connection).all()
    seen: Counter[BankRow] = Counter()
    added = duplicates = incoming = 0
    for row in rows:
        if row.cents <= 0:
            incoming += 1
            continue
        seen[row] += 1
        cursor = connection.execute(
            "INSERT OR IGNORE INTO entries (day, cents, category, description, import_key) VALUES (?, ?, ?, ?, ?)",
            (
                row.day.isoformat(),
                row.cents,
                choose_category(row.description, rules, default_category),
                row.description,
                import_key(row, seen[row]),
            ),
        )
        if cursor.rowcount:
            added += 1
        else:
            duplicates += 1
    return ImportResult(added, duplicates, incoming)


def import_key(row: BankRow, occurrence: int) -> str:
    content = f"{row.day.isoformat()}|{row.cents}|{row.description}|{occurrence}"
    return hashlib.sha256(content.encode()).hexdigest()
