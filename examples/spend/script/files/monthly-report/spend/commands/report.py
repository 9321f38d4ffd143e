"""``spend report``"""

import argparse
import sqlite3
import sys
from datetime import date

from spend.months import Month
from spend.report import build_report
from spend.report_text import render_report


def register(subparsers) -> None:
    parser = subparsers.add_parser("report", help="show what a month was spent on, and what is left of the budgets")
    parser.add_argument("month", nargs="?", help="such as 2024-03 (default: this month)")
    parser.add_argument("--ascii", action="store_true", help="draw the bars with # for terminals without block characters")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, connection: sqlite3.Connection) -> None:
    month = Month.parse(options.month) if options.month else Month.of(date.today())
    print(render_report(build_report(connection, month), options.ascii or not _can_print("█")))


def _can_print(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True
