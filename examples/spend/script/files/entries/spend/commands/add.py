"""``spend add``"""

import argparse
import sqlite3

from spend.days import parse_day
from spend.entry import clean_category, clean_description
from spend.entry_store import EntryStore
from spend.entry_text import entry_line
from spend.errors import SpendError
from spend.money import parse_amount


def register(subparsers) -> None:
    parser = subparsers.add_parser("add", help="write down an expense")
    parser.add_argument("amount", help="such as 12.50; negative for money that came back")
    parser.add_argument("category")
    parser.add_argument("description", nargs="*", default=[])
    parser.add_argument("--date", default="today", metavar="DAY", help="such as 2024-03-01 or yesterday (default: today)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, connection: sqlite3.Connection) -> None:
    cents = parse_amount(options.amount)
    if cents == 0:
        raise SpendError("Expected an amount that is not zero.")
    entry = EntryStore(connection).add(
        parse_day(options.date),
        cents,
        clean_category(options.category),
        clean_description(" ".join(options.description)),
    )
    print(f"Added {entry_line(entry)}")
