import pytest


def test_a_budget_is_set_changed_listed_and_removed(spend, line):
    spend("budget", "set", "Food", "250")
    spend("budget", "set", "food", "300.50")
    spend("budget", "set", "travel", "100")
    listed = spend("budget", "list")
    assert line(listed, "food").split() == ["food", "300.50"]
    assert line(listed, "Total").split() == ["Total", "400.50"]
    spend("budget", "remove", "food")
    assert "food" not in spend("budget", "list")
    spend("budget", "remove", "travel")
    assert spend("budget", "list") == "No budgets.\n"


@pytest.mark.parametrize("amount", ["0", "-5", "lots"])
def test_a_budget_that_is_none_is_refused(spend, amount):
    spend("budget", "set", "food", amount, code=1)
    assert spend("budget", "list") == "No budgets.\n"


def test_removing_a_budget_that_is_not_there_says_so(spend):
    assert "food" in spend("budget", "remove", "food", code=1)


def test_categories_are_listed_with_entries_total_and_budget(spend, line):
    spend("add", "1.10", "food")
    spend("add", "2.20", "food")
    spend("budget", "set", "travel", "100")
    listed = spend("categories", "list")
    assert line(listed, "food").split() == ["food", "2", "3.30", "-"]
    assert line(listed, "travel").split() == ["travel", "0", "0.00", "100.00"]


def test_a_category_is_renamed_with_its_budget(spend, line):
    spend("add", "1", "foood")
    spend("budget", "set", "foood", "50")
    assert spend("categories", "rename", "foood", "food") == "Renamed foood to food in 1 entry\n"
    assert line(spend("categories", "list"), "food").split() == ["food", "1", "1.00", "50.00"]


def test_two_categories_are_joined_and_the_budget_of_the_second_stays(spend, line):
    spend("add", "1", "groceries")
    spend("add", "2", "food")
    spend("budget", "set", "groceries", "10")
    spend("budget", "set", "food", "20")
    spend("categories", "rename", "groceries", "food")
    listed = spend("categories", "list")
    assert line(listed, "food").split() == ["food", "2", "3.00", "20.00"]
    assert "groceries" not in listed


def test_a_category_that_is_not_there_cannot_be_renamed(spend):
    assert "cars" in spend("categories", "rename", "cars", "bikes", code=1)


def test_a_database_from_before_budgets_is_brought_up_to_date(spend, tmp_path):
    import sqlite3

    spend("add", "1", "food")
    connection = sqlite3.connect(tmp_path / "spend.db")
    assert connection.execute("PRAGMA user_version").fetchone()[0] >= 2
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    assert "newer" in spend("list", code=1)
