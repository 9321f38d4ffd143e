"""``spend export``"""

import argparse
import sqlite3
import sys
from pathlib import Path

from spend.entry_store import EntryStore
from spend.exporting import write_csv, write_json
from spend.filter_options import add_filter_options, chosen_filter
from spend.output_file import open_output

WRITERS = {"csv": write_csv, "json": write_json}


def register(subparsers) -> None:
    parser = subparsers.add_parser("export", help="write entries as CSV or JSON")
    add_filter_options(parser)
    parser.add_argument("--format", choices=WRITERS, help="default: by the name of the output, else csv")
    parser.add_argument("--output", "-o", type=Path, metavar="FILE", help="default: the terminal")
    parser.add_argument("--force", action="store_true", help="replace the output where it is already there")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, connection: sqlite3.Connection) -> None:
    by_name = "json" if options.output and options.output.suffix.lower() == ".json" else "csv"
    write = WRITERS[options.format or by_name]
    entries = EntryStore(connection).find(chosen_filter(options))
    if options.output is None:
        write(entries, sys.stdout)
        return
    with open_output(options.output, options.force) as output:
        count = write(entries, output)
    print(f"Wrote {count} {'entry' if count == 1 else 'entries'} to {options.output}")
