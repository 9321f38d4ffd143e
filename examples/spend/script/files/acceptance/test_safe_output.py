import csv
import io
import os
import stat
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def careless_umask():
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


@pytest.mark.parametrize("text", ["=1+1", "+49 170", "-2+3", "@SUM(A1)", '=HYPERLINK("http://evil","x")'])
def test_no_cell_of_a_csv_file_is_taken_for_a_formula(spend, text):
    spend("add", "1", "food", "--", text)
    cells = list(csv.reader(io.StringIO(spend("export"))))[1]
    assert cells[4] == "'" + text
    spend("edit", "1", f"--category={text}")
    cells = list(csv.reader(io.StringIO(spend("export"))))[1]
    assert cells[3] == "'" + text.lower()


def test_amounts_below_zero_stay_numbers(spend):
    spend("add", "-5", "food")
    assert ",-5.00," in spend("export")


def test_json_is_not_changed(spend):
    spend("add", "1", "food", "--", "=1+1")
    assert '"=1+1"' in spend("export", "--format", "json")


def test_an_export_that_is_imported_has_its_descriptions_back(spend):
    spend("add", "1", "food", "--", "=1+1")
    spend("add", "2", "food", "'tis", "--date", "2024-01-01")
    spend("export", "-o", "all.csv")
    spend("delete", "1", "2")
    spend("import", "all.csv", "--positive")
    listed = spend("list")
    assert "  =1+1" in listed and "'tis" in listed


def test_markup_in_a_ledger_stays_text_in_the_page(spend):
    evil = '<img src=x onerror="alert(1)">'
    spend("add", "1", evil[:40], "--date", "2024-01-01")
    spend("html", "2024")
    page = Path("spending-2024.html").read_text()
    assert "<img" not in page and "&lt;img" in page


def test_the_page_forbids_scripts_and_connections(spend):
    spend("html", "2024")
    page = Path("spending-2024.html").read_text()
    assert "Content-Security-Policy" in page and "default-src 'none'" in page


def test_what_a_bank_wrote_cannot_command_the_terminal(spend, tmp_path):
    path = tmp_path / "bank.csv"
    path.write_text("date,amount,description\n2024-01-01,-1,\x1b]0;owned\x07Shop\u202egnp\n", encoding="utf-8")
    spend("import", path)
    for printed in (spend("list"), spend("delete", "1")):
        assert not any(sign in printed for sign in "\x1b\x07\u202e")
        assert "Shop" in printed


def test_only_the_user_can_read_the_database(spend, tmp_path):
    spend("--db", tmp_path / "new" / "spend.db", "list")
    assert mode(tmp_path / "new" / "spend.db") == 0o600
    assert mode(tmp_path / "new") == 0o700


def test_only_the_user_can_read_what_was_written(spend):
    spend("add", "1", "food")
    spend("export", "-o", "all.csv")
    spend("html", "2024")
    assert mode("all.csv") == 0o600
    assert mode("spending-2024.html") == 0o600
    os.chmod("all.csv", 0o666)
    spend("export", "-o", "all.csv", "--force")
    assert mode("all.csv") == 0o600


def test_a_database_that_others_could_read_is_closed_to_them(spend, tmp_path):
    spend("list")
    os.chmod(tmp_path / "spend.db", 0o644)
    spend("list")
    assert mode(tmp_path / "spend.db") == 0o600


def test_text_that_looks_like_sql_is_text(spend):
    spend("add", "1", "food", "'); DROP TABLE entries; --")
    assert "DROP TABLE" in spend("list", "--search", "'); DROP")
