"""Files that spend writes for its user."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from spend.errors import SpendError


@contextmanager
def open_output(path: Path, overwrite: bool) -> Iterator[TextIO]:
    """Opens a file to be written. It appears only when the block is done, whole; what was there stays until then."""
    if path.exists() and not overwrite:
        raise SpendError(f"{path} is already there. --force replaces it.")
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(unfinished, "x", encoding="utf-8", newline="") as output:
            yield output
        unfinished.replace(path)
    except OSError as error:
        raise SpendError(f"Cannot write {path}: {error}") from error
    finally:
        unfinished.unlink(missing_ok=True)
