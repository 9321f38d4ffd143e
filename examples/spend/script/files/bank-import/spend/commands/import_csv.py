"""``spend import``"""

import argparse
import sqlite3
from dataclasses import fields, replace
from pathlib import Path

from spend.bank_csv import CsvLayout, read_bank_csv
from spend.entry import clean_category
from spend.importing import ImportResult, import_rows
from spend.profile_store import ProfileStore


def register(subparsers) -> None:
    parser = subparsers.add_parser("import", help="take expenses from a CSV file of your bank, each of them once")
    parser.add_argument("file", type=Path)
    parser.add_argument("--category", default="unsorted", help="for what no rule is about (default: unsorted)")
    parser.add_argument("--dry-run", action="store_true", help="say what would be imported and change nothing")
    layout = parser.add_argument_group("the file", "What is left out is taken from the profile, or found out.")
    layout.add_argument("--date", metavar="COLUMN")
    layout.add_argument("--amount", metavar="COLUMN")
    layout.add_argument("--description", metavar="COLUMN")
    layout.add_argument("--delimiter", metavar="SIGN", help="between columns: one of ; , and tab is found out")
    layout.add_argument("--decimal", choices=(".", ","), help="the sign before the cents (default: .)")
    layout.add_argument("--date-format", metavar="FORMAT", help="such as %%d.%%m.%%Y (default: %%Y-%%m-%%d)")
    layout.add_argument("--encoding", help="default: UTF-8, else Windows-1252")
    layout.add_argument("--skip", type=int, metavar="N", help="lines before the header")
    layout.add_argument("--positive", action="store_true", default=None, help="what was spent has no minus sign")
    layout.add_argument("--profile", metavar="NAME", help="use the layout saved under this name")
    layout.add_argument("--save-profile", metavar="NAME", help="save the layout under this name")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, connection: sqlite3.Connection) -> None:
    profiles = ProfileStore(connection)
    layout = profiles.get(options.profile) if options.profile else CsvLayout()
    chosen = {field.name: getattr(options, field.name) for field in fields(CsvLayout)}
    layout = replace(layout, **{name: value for name, value in chosen.items() if value is not None})
    result = import_rows(connection, read_bank_csv(options.file, layout), clean_category(options.category))
    if options.dry_run:
        connection.rollback()
    elif options.save_profile:
        profiles.save(options.save_profile, layout)
    print(_sentence(result, "Would import" if options.dry_run else "Imported"))


def _sentence(result: ImportResult, verb: str) -> str:
    skipped = [
        f"{count} {one if count == 1 else many}"
        for count, one, many in (
            (result.duplicates, "duplicate", "duplicates"),
            (result.incoming, "incoming payment", "incoming payments"),
        )
        if count
    ]
    entries = f"{result.added} {'entry' if result.added == 1 else 'entries'}"
    return f"{verb} {entries}" + (f", skipped {' and '.join(skipped)}" if skipped else "")
