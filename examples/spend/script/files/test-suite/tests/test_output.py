import pytest

from spend.bar_chart import Bar, render_bar_chart, scale_step
from spend.errors import SpendError
from spend.output_file import open_output
from spend.safe_text import plain_cell, printable, spreadsheet_cell
from spend.table import render_table, text_width


def test_a_file_that_could_not_be_finished_leaves_the_old_one(tmp_path):
    path = tmp_path / "all.csv"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError):
        with open_output(path, overwrite=True) as output:
            output.write("new")
            raise ZeroDivisionError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_is_no_file_to_write(tmp_path):
    with pytest.raises(SpendError, match="Cannot write"):
        with open_output(tmp_path, overwrite=True):
            pass


@pytest.mark.parametrize("text", ["", "Shop", "=x", "+x", "-x", "@x", "'x", "'=x"])
def test_cells_come_back_as_they_were(text):
    assert plain_cell(spreadsheet_cell(text)) == text
    assert not spreadsheet_cell(text).startswith(("=", "+", "-", "@"))


def test_only_what_commands_a_terminal_is_replaced():
    assert printable("Café 日本 👩‍👩‍👧 €") == "Café 日本 👩‍👩‍👧 €"
    assert printable("a\x1b[2Jb\u202ec\x9bd") == "a\ufffd[2Jb\ufffdc\ufffdd"


def test_wide_and_combining_characters_keep_columns_in_line():
    assert (text_width("日本"), text_width("e\u0301"), text_width("é")) == (4, 1, 1)
    lines = render_table(("A", "B"), [("日本", "1"), ("x", "22")], right={1}).splitlines()
    assert lines == ["A      B", "日本   1", "x     22"]


@pytest.mark.parametrize(("largest", "step"), [(0, 100), (500, 100), (501, 200), (1_001, 500), (2_501, 1_000), (123_456, 50_000)])
def test_a_scale_has_at_most_five_round_steps(largest, step):
    assert scale_step(largest) == step


def test_a_chart_of_nothing_and_of_refunds_can_be_drawn():
    assert render_bar_chart("Empty", []).endswith("</svg>")
    assert 'height="0.0"' in render_bar_chart("Refund", [Bar("Jan", "January", -500)])
