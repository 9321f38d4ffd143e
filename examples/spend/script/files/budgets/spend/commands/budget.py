"""``spend budget``"""

import argparse
import sqlite3

from spend.budget_store import BudgetStore
from spend.entry import clean_category
from spend.money import format_amount, parse_amount
from spend.table import render_table


def register(subparsers) -> None:
    parser = subparsers.add_parser("budget", help="say what you mean to spend on a category in a month")
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)

    setting = actions.add_parser("set", help="set or change the budget of a category")
    setting.add_argument("category")
    setting.add_argument("amount")
    setting.set_defaults(run=set_budget)

    removing = actions.add_parser("remove", help="take the budget of a category away")
    removing.add_argument("category")
    removing.set_defaults(run=remove_budget)

    listing = actions.add_parser("list", help="show the budgets")
    listing.set_defaults(run=list_budgets)


def set_budget(options: argparse.Namespace, connection: sqlite3.Connection) -> None:
    category, cents = clean_category(options.category), parse_amount(options.amount)
    BudgetStore(connection).set(category, cents)
    print(f"Budget for {category}: {format_amount(cents)} a month")


def remove_budget(options: argparse.Namespace, connection: sqlite3.Connection) -> None:
    category = clean_category(options.category)
    BudgetStore(connection).remove(category)
    print(f"No budget for {category} any more")


def list_budgets(options: argparse.Namespace, connection: sqlite3.Connection) -> None:
    budgets = BudgetStore(connection).all()
    if not budgets:
        print("No budgets.")
        return
    rows = [(category, format_amount(cents)) for category, cents in budgets.items()]
    total = ("Total", format_amount(sum(budgets.values())))
    print(render_table(("Category", "A month"), [*rows, total], right={1}))
