import csv
import io
import json
from pathlib import Path

import pytest


@pytest.fixture
def ledger(spend):
    spend("add", "1,234.50", "rent", "Flat, 2nd floor", "--date", "2024-01-01")
    spend("add", "-0.05", "food", 'A "refund"', "--date", "2024-02-01")
    return spend


def test_csv_holds_every_entry_exactly(ledger):
    rows = list(csv.reader(io.StringIO(ledger("export"))))
    assert rows == [
        ["id", "date", "amount", "category", "description"],
        ["1", "2024-01-01", "1234.50", "rent", "Flat, 2nd floor"],
        ["2", "2024-02-01", "-0.05", "food", 'A "refund"'],
    ]


def test_json_holds_every_entry_with_amounts_that_are_no_floats(ledger):
    entries = json.loads(ledger("export", "--format", "json"))
    assert entries[0] == {
        "id": 1,
        "date": "2024-01-01",
        "amount": "1234.50",
        "category": "rent",
        "description": "Flat, 2nd floor",
    }
    assert [entry["amount"] for entry in entries] == ["1234.50", "-0.05"]


def test_an_empty_ledger_is_an_empty_export(spend):
    assert spend("export") == "id,date,amount,category,description\n"
    assert json.loads(spend("export", "--format", "json")) == []


def test_only_the_chosen_entries_are_written(ledger):
    assert "Flat" not in ledger("export", "--from", "2024-01-02")
    assert "refund" not in ledger("export", "--category", "rent")


def test_a_file_gets_the_format_of_its_name(ledger):
    assert ledger("export", "--output", "all.json") == "Wrote 2 entries to all.json\n"
    assert len(json.loads(Path("all.json").read_text())) == 2
    ledger("export", "-o", "all.csv")
    assert Path("all.csv").read_text().startswith("id,date")


def test_a_file_that_is_there_is_replaced_only_when_told_to(ledger):
    Path("notes.csv").write_text("mine")
    assert "--force" in ledger("export", "-o", "notes.csv", code=1)
    assert Path("notes.csv").read_text() == "mine"
    ledger("export", "-o", "notes.csv", "--force")
    assert "rent" in Path("notes.csv").read_text()
    assert [path.name for path in Path().iterdir()] == ["notes.csv"]


def test_a_folder_that_is_missing_is_said_in_words(ledger):
    assert "nowhere" in ledger("export", "-o", "nowhere/all.csv", code=1)
