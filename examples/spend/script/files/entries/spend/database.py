"""The database file: where it is, how it is opened and brought up to date."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from spend.errors import SpendError

MIGRATIONS = Path(__file__).parent / "migrations"


def database_path(option: str | None = None) -> Path:
    """The file to use: the ``--db`` option, else ``SPEND_DB``, else one in the user's data folder."""
    chosen = option or os.environ.get("SPEND_DB")
    if chosen:
        return Path(chosen).expanduser()
    data = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(data).expanduser() / "spend" / "spend.db"


@contextmanager
def open_database(path: Path) -> Iterator[sqlite3.Connection]:
    """Opens the database, made where it is missing. What is done in the block is kept as a whole or not at all."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path)
    except (OSError, sqlite3.Error) as error:
        raise SpendError(f"Cannot open the database {path}: {error}") from error
    with closing(connection):
        connection.row_factory = sqlite3.Row
        try:
            _migrate(connection, path)
            with connection:
                yield connection
        except sqlite3.DatabaseError as error:
            raise SpendError(f"Cannot use the database {path}: {error}") from error


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Applies the numbered files in ``migrations`` that the database has not seen; ``user_version`` counts them."""
    migrations = sorted(MIGRATIONS.glob("*.sql"))
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > len(migrations):
        raise SpendError(f"The database {path} was written by a newer spend. Please update.")
    for number, migration in enumerate(migrations[version:], start=version + 1):
        script = migration.read_text(encoding="utf-8")
        connection.executescript(f"BEGIN;\n{script}\nPRAGMA user_version = {number};\nCOMMIT;")
