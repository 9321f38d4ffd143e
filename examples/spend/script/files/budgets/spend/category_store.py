"""What the categories in use are, and renaming them wherever they are used."""

import sqlite3
from dataclasses import dataclass

from spend.errors import SpendError


@dataclass(frozen=True, slots=True)
class CategoryUse:
    category: str
    entries: int
    cents: int
    budget: int | None


class CategoryStore:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def all(self) -> list[CategoryUse]:
        """The categories with entries or a budget, in alphabetical order."""
        rows = self._connection.execute(
            """
            SELECT category, count(e.id) AS entries, coalesce(sum(e.cents), 0) AS cents, b.cents AS budget
            FROM (SELECT category FROM entries UNION SELECT category FROM budgets)
            LEFT JOIN entries AS e USING (category)
            LEFT JOIN budgets AS b USING (category)
            GROUP BY category
            ORDER BY category
            """
        )
        return [CategoryUse(row["category"], row["entries"], row["cents"], row["budget"]) for row in rows]

    def rename(self, old: str, new: str) -> int:
        """Gives a category another name, or joins it to the one that has it; returns how many entries changed.

        Where both have a budget, that of the new name stays.
        """
        if not any(use.category == old for use in self.all()):
            raise SpendError(f"There is no category {old!r}. `spend categories list` shows those there are.")
        if old == new:
            return 0
        changed = self._connection.execute("UPDATE entries SET category = ? WHERE category = ?", (new, old)).rowcount
        self._connection.execute("UPDATE OR IGNORE budgets SET category = ? WHERE category = ?", (new, old))
        self._connection.execute("DELETE FROM budgets WHERE category = ?", (old,))
        return changed
