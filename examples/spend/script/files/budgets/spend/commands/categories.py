"""``spend categories``"""

import argparse
import sqlite3

from spend.category_store import CategoryStore
from spend.entry import clean_category
from spend.money import format_amount
from spend.table import render_table


def register(subparsers) -> None:
    parser = subparsers.add_parser("categories", help="show or rename categories")
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)

    listing = actions.add_parser("list", help="show every category with its entries, total and budget")
    listing.set_defaults(run=list_categories)

    renaming = actions.add_parser("rename", help="give a category another name, or join it to one that has that name")
    renaming.add_argument("old")
    renaming.add_argument("new")
    renaming.set_defaults(run=rename_category)


def list_categories(options: argparse.Namespace, connection: sqlite3.Connection) -> None:
    categories = CategoryStore(connection).all()
    if not categories:
        print("No categories.")
        return
    rows = [
        (
            use.category,
            str(use.entries),
            format_amount(use.cents),
            "-" if use.budget is None else format_amount(use.budget),
        )
        for use in categories
    ]
    print(render_table(("Category", "Entries", "Total", "Budget"), rows, right={1, 2, 3}))


def rename_category(options: argparse.Namespace, connection: sqlite3.Connection) -> None:
    old, new = clean_category(options.old), clean_category(options.new)
    changed = CategoryStore(connection).rename(old, new)
    print(f"Renamed {old} to {new} in {changed} {'entry' if changed == 1 else 'entries'}")
