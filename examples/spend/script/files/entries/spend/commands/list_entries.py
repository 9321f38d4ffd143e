"""``spend list``"""

import argparse
import sqlite3

from spend.entry_store import EntryStore
from spend.errors import SpendError
from spend.filter_options import add_filter_options, chosen_filter
from spend.money import format_amount
from spend.table import render_table


def register(subparsers) -> None:
    parser = subparsers.add_parser("list", help="show entries, oldest first, and their total")
    add_filter_options(parser)
    parser.add_argument("--last-entries", type=int, metavar="N", help="show only the latest N of them")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, connection: sqlite3.Connection) -> None:
    entries = list(EntryStore(connection).find(chosen_filter(options)))
    if options.last_entries is not None:
        if options.last_entries < 1:
            raise SpendError(f"Expected --last-entries to be at least 1, got {options.last_entries}.")
        entries = entries[-options.last_entries :]
    if not entries:
        print("No entries.")
        return
    rows = [
        (str(entry.id), entry.day.isoformat(), format_amount(entry.cents), entry.category, entry.description)
        for entry in entries
    ]
    total = ("", "Total", format_amount(sum(entry.cents for entry in entries)), "", "")
    print(render_table(("ID", "Date", "Amount", "Category", "Description"), [*rows, total], right={0, 2}))
