"""``spend delete``"""

import argparse
import sqlite3

from spend.entry_store import EntryStore
from spend.entry_text import entry_line


def register(subparsers) -> None:
    parser = subparsers.add_parser("delete", help="delete entries: all that are named, or none where one is missing")
    parser.add_argument("ids", type=int, nargs="+", metavar="id")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, connection: sqlite3.Connection) -> None:
    for entry in EntryStore(connection).delete(options.ids):
        print(f"Deleted {entry_line(entry)}")
