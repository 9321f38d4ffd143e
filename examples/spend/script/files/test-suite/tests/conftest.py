import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from spend.database import open_database


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """An empty database, up to date."""
    with open_database(tmp_path / "spend.db") as opened:
        yield opened
