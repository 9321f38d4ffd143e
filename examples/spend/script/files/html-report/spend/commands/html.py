"""``spend html``"""

import argparse
import sqlite3
from datetime import MAXYEAR, MINYEAR, date
from pathlib import Path

from spend.errors import SpendError
from spend.output_file import open_output
from spend.year import build_year
from spend.year_page import render_year_page


def register(subparsers) -> None:
    parser = subparsers.add_parser("html", help="write a year as a page with a chart, to look at, print or send")
    parser.add_argument("year", nargs="?", type=int, help="such as 2024 (default: this year)")
    parser.add_argument("--output", "-o", type=Path, metavar="FILE", help="default: spending-YEAR.html")
    parser.add_argument("--force", action="store_true", help="replace the output where it is already there")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, connection: sqlite3.Connection) -> None:
    year = date.today().year if options.year is None else options.year
    if not MINYEAR < year < MAXYEAR:
        raise SpendError(f"Expected a year such as 2024, got {year}.")
    path = options.output or Path(f"spending-{year}.html")
    with open_output(path, options.force) as output:
        output.write(render_year_page(build_year(connection, year)))
    print(f"Wrote {path}")
