"""What was spent in a month, by category and against the budgets."""

import sqlite3
from collections import Counter
from dataclasses import dataclass

from spend.budget_store import BudgetStore
from spend.entry_store import EntryFilter, EntryStore
from spend.months import Month


@dataclass(frozen=True, slots=True)
class CategoryTotal:
    category: str
    cents: int
    budget: int | None


@dataclass(frozen=True, slots=True)
class MonthReport:
    month: Month
    # The largest first. A category with a budget is there even where nothing was spent on it.
    categories: list[CategoryTotal]
    previous_cents: int

    @property
    def cents(self) -> int:
        return sum(total.cents for total in self.categories)

    def shares(self) -> list[int]:
        """The percentage of each category in all that was spent; they add up to 100, or are all 0."""
        return percentages([max(total.cents, 0) for total in self.categories])


def build_report(connection: sqlite3.Connection, month: Month) -> MonthReport:
    spent = month_totals(connection, month)
    budgets = BudgetStore(connection).all()
    categories = [
        CategoryTotal(category, spent.get(category, 0), budgets.get(category)) for category in {**spent, **budgets}
    ]
    categories.sort(key=lambda total: (-total.cents, total.category))
    return MonthReport(month, categories, sum(month_totals(connection, month.previous).values()))


def month_totals(connection: sqlite3.Connection, month: Month) -> dict[str, int]:
    """Cents by category of one month."""
    totals: Counter[str] = Counter()
    for entry in EntryStore(connection).find(EntryFilter(first=month.first_day, last=month.last_day)):
        totals[entry.category] += entry.cents
    return dict(totals)


def percentages(parts: list[int]) -> list[int]:
    """Whole percentages that add up to 100: those that lost most by rounding down get what is left."""
    whole = sum(parts)
    if whole == 0:
        return [0] * len(parts)
    shares = [part * 100 // whole for part in parts]
    by_loss = sorted(range(len(parts)), key=lambda index: -(parts[index] * 100 % whole))
    for index in by_loss[: 100 - sum(shares)]:
        shares[index] += 1
    return shares
