import sqlite3
from datetime import date

import pytest

from spend.budget_store import BudgetStore
from spend.category_store import CategoryStore
from spend.database import open_database
from spend.entry_store import EntryFilter, EntryStore
from spend.errors import SpendError
from spend.rule_store import RuleStore, choose_category

DAY = date(2024, 2, 29)


def test_an_error_takes_back_all_that_was_done_with_the_database(tmp_path):
    path = tmp_path / "spend.db"
    with pytest.raises(SpendError, match="on purpose"):
        with open_database(path) as connection:
            EntryStore(connection).add(DAY, 100, "food", "")
            raise SpendError("on purpose")
    with open_database(path) as connection:
        assert list(EntryStore(connection).find()) == []


def test_opening_a_database_again_changes_nothing(tmp_path):
    path = tmp_path / "spend.db"
    with open_database(path) as connection:
        EntryStore(connection).add(DAY, 100, "food", "")
    for _ in range(2):
        with open_database(path) as connection:
            assert len(list(EntryStore(connection).find())) == 1


def test_a_number_is_never_given_twice(connection):
    store = EntryStore(connection)
    first = store.add(DAY, 100, "food", "")
    store.delete([first.id])
    assert store.add(DAY, 100, "food", "").id > first.id


def test_the_database_itself_refuses_what_would_spoil_a_sum(connection):
    for cents in (1.5, "12.50"):
        with pytest.raises(sqlite3.IntegrityError):
            EntryStore(connection).add(DAY, cents, "food", "")


def test_both_days_of_a_filter_are_included(connection):
    store = EntryStore(connection)
    for day in range(1, 6):
        store.add(date(2024, 1, day), day, "food", "")
    found = store.find(EntryFilter(first=date(2024, 1, 2), last=date(2024, 1, 4)))
    assert [entry.cents for entry in found] == [2, 3, 4]


def test_a_percent_sign_in_a_search_is_a_percent_sign(connection):
    store = EntryStore(connection)
    store.add(DAY, 1, "food", "50% off")
    store.add(DAY, 2, "food", "nothing off")
    assert [entry.cents for entry in store.find(EntryFilter(text="0% O"))] == [1]


def test_a_category_that_is_renamed_to_itself_keeps_its_budget(connection):
    BudgetStore(connection).set("food", 100)
    assert CategoryStore(connection).rename("food", "food") == 0
    assert BudgetStore(connection).all() == {"food": 100}


def test_the_longest_rule_is_tried_first(connection):
    rules = RuleStore(connection)
    rules.set("sol", "sun")
    rules.set("café sol", "coffee")
    assert choose_category("CAFÉ SOL 12", rules.all(), "unsorted") == "coffee"
    assert choose_category("Solarium", rules.all(), "unsorted") == "sun"
    assert choose_category("Shop", rules.all(), "unsorted") == "unsorted"
