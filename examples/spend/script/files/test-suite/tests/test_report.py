import random
from datetime import date

from spend.budget_store import BudgetStore
from spend.entry_store import EntryStore
from spend.months import Month
from spend.report import build_report, month_totals, percentages
from spend.report_text import render_bar, render_report


def add(connection, day, cents, category):
    EntryStore(connection).add(date.fromisoformat(day), cents, category, "")


def test_a_report_says_what_each_category_cost_the_largest_first(connection):
    add(connection, "2024-02-01", 100, "a")
    add(connection, "2024-02-29", 250, "b")
    add(connection, "2024-02-29", 50, "a")
    add(connection, "2024-01-31", 1000, "a")
    add(connection, "2024-03-01", 5000, "a")
    BudgetStore(connection).set("b", 300)
    BudgetStore(connection).set("c", 70)
    report = build_report(connection, Month(2024, 2))
    assert [(total.category, total.cents, total.budget) for total in report.categories] == [
        ("b", 250, 300),
        ("a", 150, None),
        ("c", 0, 70),
    ]
    assert (report.cents, report.previous_cents, report.shares()) == (400, 1000, [63, 37, 0])


def test_categories_that_cost_the_same_are_in_alphabetical_order(connection):
    for category in ("b", "c", "a"):
        add(connection, "2024-02-01", 100, category)
    assert [total.category for total in build_report(connection, Month(2024, 2)).categories] == ["a", "b", "c"]


def test_the_months_of_a_year_hold_every_entry_once(connection):
    numbers = random.Random(3)
    for _ in range(300):
        add(connection, f"2023-{numbers.randint(1, 12):02d}-{numbers.randint(1, 28):02d}", numbers.randint(-500, 5000), "x")
    expected = sum(entry.cents for entry in EntryStore(connection).find())
    assert sum(month_totals(connection, Month(2023, number)).get("x", 0) for number in range(1, 13)) == expected


def test_percentages_are_fair_and_add_up():
    assert percentages([]) == []
    assert percentages([0, 0]) == [0, 0]
    assert percentages([1, 1, 1]) == [34, 33, 33]
    assert percentages([1, 2]) == [33, 67]
    assert percentages([5]) == [100]
    numbers = random.Random(5)
    for _ in range(200):
        parts = [numbers.randint(0, 10_000) for _ in range(numbers.randint(1, 12))]
        shares = percentages([*parts, 1])
        assert sum(shares) == 100
        assert all(abs(share - part * 100 / (sum(parts) + 1)) < 1 for share, part in zip(shares, parts))


def test_a_refund_has_no_share(connection):
    add(connection, "2024-02-01", -100, "a")
    add(connection, "2024-02-01", 100, "b")
    assert build_report(connection, Month(2024, 2)).shares() == [100, 0]


def test_a_bar_is_never_longer_or_shorter_than_its_width():
    for cents in (-5, 0, 1, 49, 50, 99, 100):
        for ascii_only in (True, False):
            assert len(render_bar(cents, 100, 10, ascii_only)) == 10
    assert render_bar(100, 100, 10, True) == "#" * 10
    assert render_bar(50, 100, 10) == "█" * 5 + " " * 5
    assert render_bar(5, 100, 10) == "▌" + " " * 9


def test_the_columns_of_a_report_line_up(connection):
    add(connection, "2024-02-01", 123456, "a long category")
    add(connection, "2024-02-01", 5, "日本")
    lines = render_report(build_report(connection, Month(2024, 2)), ascii_only=True).splitlines()
    assert lines[2].index("1,234.56") + 8 == lines[3].index("0.05") + 4 + len("日本")
    assert lines[5].endswith("1,234.61")
