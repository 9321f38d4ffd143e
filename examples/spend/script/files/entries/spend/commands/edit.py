"""``spend edit``"""

import argparse
import sqlite3
from dataclasses import replace

from spend.days import parse_day
from spend.entry import clean_category, clean_description
from spend.entry_store import EntryStore
from spend.entry_text import entry_line
from spend.errors import SpendError
from spend.money import parse_amount


def register(subparsers) -> None:
    parser = subparsers.add_parser("edit", help="change an entry")
    parser.add_argument("id", type=int)
    parser.add_argument("--amount")
    parser.add_argument("--category")
    parser.add_argument("--description")
    parser.add_argument("--date", metavar="DAY")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, connection: sqlite3.Connection) -> None:
    changes: dict[str, object] = {}
    if options.amount is not None:
        changes["cents"] = parse_amount(options.amount)
        if changes["cents"] == 0:
            raise SpendError("Expected an amount that is not zero.")
    if options.category is not None:
        changes["category"] = clean_category(options.category)
    if options.description is not None:
        changes["description"] = clean_description(options.description)
    if options.date is not None:
        changes["day"] = parse_day(options.date)
    if not changes:
        raise SpendError("Expected at least one of --amount, --category, --description and --date.")
    store = EntryStore(connection)
    entry = replace(store.get(options.id), **changes)
    store.update(entry)
    print(f"Changed {entry_line(entry)}")
