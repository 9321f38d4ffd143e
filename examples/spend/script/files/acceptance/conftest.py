"""What the acceptance tests share. They use spend as its users do: through its command line."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))


@pytest.fixture
def spend(tmp_path, monkeypatch, capsys):
    """Runs one command on a database of this test, in an empty folder; returns what it printed."""
    monkeypatch.setenv("SPEND_DB", str(tmp_path / "spend.db"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    from spend.cli import main

    def run(*arguments, code=0):
        capsys.readouterr()
        result = main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        assert result == code, f"spend {' '.join(map(str, arguments))} ended with {result}: {printed.err or printed.out}"
        return printed.out if code == 0 else printed.err

    return run


@pytest.fixture
def line():
    """Finds the one line of a text that starts with a word."""

    def find(text, start):
        found = [candidate for candidate in text.splitlines() if candidate.strip().startswith(start)]
        assert len(found) == 1, f"expected one line that starts with {start!r} in:\n{text}"
        return found[0]

    return find
