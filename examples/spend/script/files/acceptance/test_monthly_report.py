import re

import pytest


def amounts(text):
    return re.findall(r"-?[\d,]+\.\d\d", text)


def test_a_month_is_summed_by_category_the_largest_first(spend):
    spend("add", "100.10", "food", "--date", "2024-01-05")
    spend("add", "20.20", "food", "--date", "2024-01-20")
    spend("add", "800", "rent", "--date", "2024-01-01")
    rows = spend("report", "2024-01").splitlines()
    assert rows[0] == "January 2024"
    named = [row for row in rows if row.startswith(("food", "rent", "Total"))]
    assert [row.split()[0] for row in named] == ["rent", "food", "Total"]
    assert [amounts(row)[0] for row in named] == ["800.00", "120.30", "920.30"]


def test_a_bar_is_as_long_as_its_share_of_the_largest(spend, line):
    spend("add", "100", "rent", "--date", "2024-01-01")
    spend("add", "50", "food", "--date", "2024-01-01")
    report = spend("report", "2024-01")
    assert line(report, "rent").count("█") == 24
    assert line(report, "food").count("█") == 12
    assert line(spend("report", "2024-01", "--ascii"), "food").count("#") == 12


def test_percentages_add_up_to_a_hundred(spend):
    for category in ("a", "b", "c"):
        spend("add", "1", category, "--date", "2024-01-01")
    shares = [int(share) for share in re.findall(r"(\d+)%", spend("report", "2024-01"))]
    assert sorted(shares) == [33, 33, 34]


def test_budgets_say_what_is_left_and_what_is_over(spend, line):
    spend("budget", "set", "food", "100")
    spend("budget", "set", "travel", "40")
    spend("budget", "set", "books", "15")
    spend("add", "60.50", "food", "--date", "2024-01-01")
    spend("add", "50", "travel", "--date", "2024-01-01")
    report = spend("report", "2024-01")
    assert line(report, "food").endswith("39.50 left of 100.00")
    assert line(report, "travel").endswith("10.00 over the budget of 40.00")
    assert line(report, "books").endswith("15.00 left of 15.00")


@pytest.mark.parametrize(
    ("month", "last_day", "next_day"),
    [
        ("2024-01", "2024-01-31", "2024-02-01"),
        ("2024-02", "2024-02-29", "2024-03-01"),
        ("2023-02", "2023-02-28", "2023-03-01"),
        ("2024-04", "2024-04-30", "2024-05-01"),
        ("2024-12", "2024-12-31", "2025-01-01"),
    ],
)
def test_a_report_ends_with_the_last_day_of_its_month(spend, line, month, last_day, next_day):
    spend("add", "10", "food", "--date", last_day)
    spend("add", "5", "food", "--date", next_day)
    assert amounts(line(spend("report", month), "Total")) == ["10.00"]


def test_a_month_is_compared_with_the_one_before_it(spend):
    spend("add", "100", "food", "--date", "2023-12-31")
    spend("add", "120.50", "food", "--date", "2024-01-01")
    assert "20.50 more than in December 2023" in spend("report", "2024-01")
    assert "120.50 less than in January 2024" in spend("report", "2024-02")


def test_a_refund_is_taken_off(spend, line):
    spend("add", "30", "clothes", "--date", "2024-01-02")
    spend("add", "-45", "clothes", "--date", "2024-01-03")
    spend("add", "10", "food", "--date", "2024-01-03")
    report = spend("report", "2024-01")
    assert amounts(line(report, "clothes")) == ["-15.00"]
    assert amounts(line(report, "Total")) == ["-5.00"]


def test_an_empty_month_and_a_month_that_is_none(spend):
    assert "Nothing was spent." in spend("report", "2024-01")
    assert "2024-13" in spend("report", "2024-13", code=1)
    assert spend("report").splitlines()[0]
