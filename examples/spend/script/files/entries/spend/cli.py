"""The command line."""

import argparse
import os
import sys
from collections.abc import Sequence

from spend import __version__
from spend.commands import register_commands
from spend.database import database_path, open_database
from spend.errors import SpendError


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="spend", description="Keeps track of what you spend, on your own machine.")
    parser.add_argument("--version", action="version", version=f"spend {__version__}")
    parser.add_argument("--db", metavar="FILE", help="the database (default: $SPEND_DB, or one in your data folder)")
    register_commands(parser.add_subparsers(title="commands", metavar="COMMAND", required=True))
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit code: 0, 1 for what cannot be done, 2 for what cannot be understood."""
    try:
        options = build_parser().parse_args(arguments)
    except SystemExit as end:
        return int(end.code or 0)
    try:
        with open_database(database_path(options.db)) as connection:
            options.run(options, connection)
        sys.stdout.flush()
    except SpendError as error:
        print(f"spend: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # Whoever read our output (head, less) has seen enough. Python would complain when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
