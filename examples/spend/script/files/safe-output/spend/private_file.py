"""Files and folders that only their owner can read, whatever the umask."""

import os
from pathlib import Path

_FILE_MODE = 0o600
_FOLDER_MODE = 0o700


def private_opener(path: str, flags: int) -> int:
    """For ``open(..., opener=private_opener)``: a file that is created by it is its owner's alone."""
    return os.open(path, flags, _FILE_MODE)


def create_private_file(path: Path) -> None:
    """Creates an empty file for its owner alone; leaves one that is there as it is."""
    try:
        os.close(private_opener(os.fspath(path), os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    except FileExistsError:
        pass


def create_private_folder(path: Path) -> None:
    """Creates a folder, and those above it that are missing, for its owner alone; leaves one that is there as it is."""
    for folder in reversed((path, *path.parents)):
        if not folder.exists():
            folder.mkdir(mode=_FOLDER_MODE, exist_ok=True)


def make_private(path: Path) -> None:
    """Takes the access of others to a file away."""
    if path.stat().st_mode & 0o077:
        path.chmod(_FILE_MODE)
