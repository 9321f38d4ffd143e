"""The options with which commands choose entries."""

import argparse

from spend.days import parse_day
from spend.entry import clean_category
from spend.entry_store import EntryFilter


def add_filter_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--from", dest="first", metavar="DAY", help="the first day, such as 2024-03-01")
    parser.add_argument("--to", dest="last", metavar="DAY", help="the last day, included")
    parser.add_argument("--category", help="only this category")
    parser.add_argument("--search", metavar="TEXT", help="only entries whose description has this text")


def chosen_filter(options: argparse.Namespace) -> EntryFilter:
    return EntryFilter(
        first=parse_day(options.first) if options.first else None,
        last=parse_day(options.last) if options.last else None,
        category=clean_category(options.category) if options.category else None,
        text=options.search,
    )
