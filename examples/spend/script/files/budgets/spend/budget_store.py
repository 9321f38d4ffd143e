"""Keeps monthly budgets in the database."""

import sqlite3

from spend.errors import SpendError


class BudgetStore:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def set(self, category: str, cents: int) -> None:
        """Sets what may be spent on a category in a month, whether or not it had a budget before."""
        if cents <= 0:
            raise SpendError("Expected a budget above zero. `spend budget remove` takes one away.")
        self._connection.execute(
            "INSERT INTO budgets (category, cents) VALUES (?, ?)"
            " ON CONFLICT (category) DO UPDATE SET cents = excluded.cents",
            (category, cents),
        )

    def remove(self, category: str) -> None:
        if self._connection.execute("DELETE FROM budgets WHERE category = ?", (category,)).rowcount == 0:
            raise SpendError(f"There is no budget for {category!r}. `spend budget list` shows those there are.")

    def all(self) -> dict[str, int]:
        """Cents a month by category, in alphabetical order."""
        rows = self._connection.execute("SELECT category, cents FROM budgets ORDER BY category")
        return {row["category"]: row["cents"] for row in rows}
