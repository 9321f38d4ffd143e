import io
from datetime import date

import pytest

from spend.bank_csv import BankRow, CsvLayout, read_bank_csv
from spend.entry import Entry
from spend.errors import SpendError
from spend.exporting import write_csv
from spend.importing import import_rows


def read(tmp_path, text, layout=CsvLayout()):
    path = tmp_path / "bank.csv"
    path.write_bytes(text.encode())
    return list(read_bank_csv(path, layout))


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_delimiters_and_line_ends_are_found_out(tmp_path, delimiter, end):
    lines = [delimiter.join(cells) for cells in (("Date", "Amount", "Memo"), ("2024-02-29", "-1.50", "Shop"))]
    assert read(tmp_path, end.join(lines) + end) == [BankRow(date(2024, 2, 29), 150, "Shop")]


def test_a_byte_order_mark_blank_lines_and_quoted_line_ends_are_no_trouble(tmp_path):
    text = '\ufeffdate,amount,description\n\n2024-02-29,-1,"Shop, \n second floor"\n,,\n'
    assert read(tmp_path, text) == [BankRow(date(2024, 2, 29), 100, "Shop, second floor")]


def test_a_line_number_counts_what_was_skipped_and_what_was_quoted(tmp_path):
    text = 'Account 1\ndate,amount,description\n2024-02-29,-1,"a\nb"\n2024-02-30,-1,c\n'
    with pytest.raises(SpendError, match="line 5"):
        read(tmp_path, text, CsvLayout(skip=1))


def test_an_empty_file_has_no_header(tmp_path):
    with pytest.raises(SpendError, match="header"):
        read(tmp_path, "")


def test_equal_rows_of_two_files_are_the_same_and_of_one_file_are_not(connection):
    row = BankRow(date(2024, 2, 29), 320, "Café")
    assert import_rows(connection, [row, row], "x").added == 2
    assert import_rows(connection, [row], "x").duplicates == 1
    result = import_rows(connection, [row, row, row], "x")
    assert (result.added, result.duplicates) == (1, 2)


@pytest.mark.parametrize("description", ["=1+1", "'=1+1", "'tis", "-", '"quoted", twice', "ends with '"])
def test_an_export_is_imported_as_it_was(tmp_path, description):
    output = io.StringIO()
    write_csv([Entry(1, date(2024, 2, 29), 150, "x", description)], output)
    assert read(tmp_path, output.getvalue(), CsvLayout(positive=True)) == [BankRow(date(2024, 2, 29), 150, description)]
