"""Keeps the rules that choose a category by a text in the description."""

import sqlite3

from spend.errors import SpendError


class RuleStore:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def set(self, pattern: str, category: str) -> None:
        if not pattern:
            raise SpendError("Expected the text that the rule looks for, got nothing.")
        self._connection.execute(
            "INSERT INTO rules (pattern, category) VALUES (?, ?)"
            " ON CONFLICT (pattern) DO UPDATE SET category = excluded.category",
            (pattern, category),
        )

    def remove(self, pattern: str) -> None:
        if self._connection.execute("DELETE FROM rules WHERE pattern = ?", (pattern,)).rowcount == 0:
            raise SpendError(f"There is no rule for {pattern!r}. `spend rule list` shows those there are.")

    def all(self) -> dict[str, str]:
        """Categories by the text they are chosen by, the longest text first: the most precise rule wins."""
        rows = self._connection.execute("SELECT pattern, category FROM rules ORDER BY length(pattern) DESC, pattern")
        return {row["pattern"]: row["category"] for row in rows}


def choose_category(description: str, rules: dict[str, str], default: str) -> str:
    """The category of the first rule whose text is in the description; upper and lower case are the same."""
    lowered = description.lower()
    return next((category for pattern, category in rules.items() if pattern in lowered), default)
