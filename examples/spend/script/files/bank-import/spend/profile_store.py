"""Keeps the layouts of CSV files under names, one for each bank."""

import json
import sqlite3
from dataclasses import asdict

from spend.bank_csv import CsvLayout
from spend.errors import SpendError


class ProfileStore:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def save(self, name: str, layout: CsvLayout) -> None:
        self._connection.execute(
            "INSERT INTO import_profiles (name, settings) VALUES (?, ?)"
            " ON CONFLICT (name) DO UPDATE SET settings = excluded.settings",
            (name, json.dumps(asdict(layout))),
        )

    def get(self, name: str) -> CsvLayout:
        row = self._connection.execute("SELECT settings FROM import_profiles WHERE name = ?", (name,)).fetchone()
        if row is None:
            known = [known["name"] for known in self._connection.execute("SELECT name FROM import_profiles ORDER BY name")]
            raise SpendError(f"There is no profile {name!r}. Saved profiles: {', '.join(known) or 'none'}.")
        return CsvLayout(**json.loads(row["settings"]))
