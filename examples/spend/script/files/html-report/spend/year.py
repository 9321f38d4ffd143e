"""What was spent in a year, by month and by category."""

import sqlite3
from collections import Counter
from dataclasses import dataclass

from spend.months import Month
from spend.report import month_totals


@dataclass(frozen=True, slots=True)
class YearReport:
    year: int
    # Twelve, January first: cents by category.
    months: list[tuple[Month, dict[str, int]]]

    @property
    def cents(self) -> int:
        return sum(self.month_cents)

    @property
    def month_cents(self) -> list[int]:
        return [sum(totals.values()) for _, totals in self.months]

    @property
    def categories(self) -> list[tuple[str, int]]:
        """Every category with its cents, the largest first."""
        totals: Counter[str] = Counter()
        for _, month in self.months:
            totals.update(month)
        return sorted(totals.items(), key=lambda item: (-item[1], item[0]))


def build_year(connection: sqlite3.Connection, year: int) -> YearReport:
    months = [Month(year, number) for number in range(1, 13)]
    return YearReport(year, [(month, month_totals(connection, month)) for month in months])
