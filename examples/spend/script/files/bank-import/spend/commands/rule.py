"""``spend rule``"""

import argparse
import sqlite3

from spend.entry import clean_category, clean_description
from spend.rule_store import RuleStore
from spend.table import render_table


def register(subparsers) -> None:
    parser = subparsers.add_parser("rule", help="choose the category of imported entries by their description")
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)

    adding = actions.add_parser("add", help="descriptions with this text are of this category")
    adding.add_argument("text")
    adding.add_argument("category")
    adding.set_defaults(run=add_rule)

    removing = actions.add_parser("remove", help="forget the rule for this text")
    removing.add_argument("text")
    removing.set_defaults(run=remove_rule)

    listing = actions.add_parser("list", help="show the rules, in the order in which they are tried")
    listing.set_defaults(run=list_rules)


def add_rule(options: argparse.Namespace, connection: sqlite3.Connection) -> None:
    pattern, category = _pattern(options.text), clean_category(options.category)
    RuleStore(connection).set(pattern, category)
    print(f"Descriptions with {pattern!r} are {category}")


def remove_rule(options: argparse.Namespace, connection: sqlite3.Connection) -> None:
    RuleStore(connection).remove(_pattern(options.text))
    print(f"No rule for {_pattern(options.text)!r} any more")


def list_rules(options: argparse.Namespace, connection: sqlite3.Connection) -> None:
    rules = RuleStore(connection).all()
    print(render_table(("Text", "Category"), list(rules.items())) if rules else "No rules.")


def _pattern(text: str) -> str:
    return clean_description(text).lower()
