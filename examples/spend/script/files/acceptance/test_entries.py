import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def test_what_was_added_is_listed_oldest_first_with_its_total(spend):
    spend("add", "12.50", "Food", "Lunch", "with", "Ada", "--date", "2024-03-02")
    spend("add", "1,200", "rent", "--date", "2024-03-01")
    rows = [row.split() for row in spend("list").splitlines()]
    assert rows[1] == ["2", "2024-03-01", "1,200.00", "rent"]
    assert rows[2] == ["1", "2024-03-02", "12.50", "food", "Lunch", "with", "Ada"]
    assert rows[3] == ["Total", "1,212.50"]


def test_cents_add_up_exactly(spend, line):
    for _ in range(10):
        spend("add", "0.10", "food")
    spend("add", "0.29", "food")
    assert "1.29" in line(spend("list"), "Total")


def test_a_refund_is_negative(spend, line):
    spend("add", "20", "clothes")
    spend("add", "-7.5", "clothes", "Returned")
    assert "12.50" in line(spend("list"), "Total")


def test_entries_can_be_chosen_by_day_category_and_text(spend):
    spend("add", "1", "food", "Apples", "--date", "2024-01-31")
    spend("add", "2", "food", "Pears", "--date", "2024-02-01")
    spend("add", "3", "travel", "Train", "--date", "2024-02-29")
    assert "Apples" not in spend("list", "--from", "2024-02-01", "--to", "2024-02-29")
    assert "Train" in spend("list", "--from", "2024-02-01", "--to", "2024-02-29")
    assert "Train" not in spend("list", "--category", "FOOD")
    assert "Pears" in spend("list", "--search", "pear")
    assert spend("list", "--search", "plum") == "No entries.\n"


def test_an_entry_is_changed_only_where_asked(spend):
    spend("add", "1", "food", "Apples", "--date", "2024-01-31")
    assert spend("edit", "1", "--amount", "2.05") == "Changed #1  2024-01-31  2.05  food  Apples\n"
    spend("edit", "1", "--category", "fruit", "--date", "2024-02-01", "--description", "Pears")
    assert "2024-02-01  2.05  fruit  Pears" in spend("delete", "1")


def test_deletion_is_all_or_nothing(spend):
    spend("add", "1", "food")
    assert "#9" in spend("delete", "1", "9", code=1)
    assert "1.00" in spend("list")
    spend("delete", "1")
    assert spend("list") == "No entries.\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("add", "twelve", "food"),
        ("add", "1.234", "food"),
        ("add", "0", "food"),
        ("add", "1", " "),
        ("add", "1", "food", "--date", "2024-02-30"),
        ("edit", "1"),
        ("edit", "7", "--amount", "1"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words_and_changes_nothing(spend, arguments):
    complaint = spend(*arguments, code=1)
    assert complaint.startswith("spend: ") and "Traceback" not in complaint
    assert spend("list") == "No entries.\n"


def test_a_file_that_is_no_database_is_left_alone(spend, tmp_path):
    other = tmp_path / "letter.txt"
    other.write_text("Dear Ada, " * 100)
    assert "letter.txt" in spend("--db", other, "list", code=1)
    assert other.read_text().startswith("Dear Ada")


@pytest.mark.parametrize("command", [[sys.executable, "-m", "spend"], [str(ROOT / "bin" / "spend")]])
def test_it_runs_as_a_program(tmp_path, command):
    environment = {**os.environ, "SPEND_DB": str(tmp_path / "new" / "spend.db"), "PYTHONPATH": str(ROOT)}
    done = subprocess.run([*command, "add", "3", "food"], env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Added #1")
