"""Reads the CSV files that banks export."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from spend.days import ISO_FORMAT, parse_day
from spend.entry import clean_description
from spend.errors import SpendError
from spend.money import parse_amount

# The names that common exports give their columns, tried where no name is given.
KNOWN_COLUMNS = {
    "date": ("date", "booking date", "transaction date", "buchungstag", "buchungsdatum", "datum", "fecha"),
    "amount": ("amount", "betrag", "umsatz", "montant", "importe", "bedrag"),
    "description": ("description", "details", "payee", "memo", "verwendungszweck", "buchungstext", "libellé", "concepto"),
}


@dataclass(frozen=True, slots=True)
class CsvLayout:
    """How one bank writes its files. What is None is found out from the file."""

    date: str | None = None
    amount: str | None = None
    description: str | None = None
    delimiter: str | None = None
    decimal: str = "."
    date_format: str = ISO_FORMAT
    encoding: str | None = None
    skip: int = 0
    positive: bool = False


@dataclass(frozen=True, slots=True)
class BankRow:
    """One line of a bank's export. Positive cents were spent."""

    day: date
    cents: int
    description: str


def read_bank_csv(path: Path, layout: CsvLayout) -> Iterator[BankRow]:
    """The rows of a file, in its order. A row that cannot be read ends it with its line number."""
    lines = list(io.StringIO(_read_text(path, layout.encoding), newline=""))[layout.skip :]
    if not lines:
        raise SpendError(f"Expected a header line in {path}, found none.")
    delimiter = layout.delimiter or max(";,\t", key=lines[0].count)
    rows = csv.reader(lines, delimiter=delimiter)
    header = [name.strip() for name in next(rows)]
    columns = [_column(header, role, getattr(layout, role), path) for role in ("date", "amount", "description")]
    for cells in rows:
        if not any(cell.strip() for cell in cells):
            continue
        try:
            day, amount, description = (cells[column] for column in columns)
            cents = parse_amount(amount, layout.decimal)
            yield BankRow(
                parse_day(day, layout.date_format),
                cents if layout.positive else -cents,
                clean_description(description),
            )
        except IndexError:
            problem = f"Expected {len(header)} columns, got {len(cells)}."
            raise SpendError(f"{path}, line {layout.skip + rows.line_num}: {problem}") from None
        except SpendError as error:
            raise SpendError(f"{path}, line {layout.skip + rows.line_num}: {error}") from None


def _read_text(path: Path, encoding: str | None) -> str:
    try:
        content = path.read_bytes()
        if encoding:
            return content.decode(encoding)
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError:
            # What banks write that are not on UTF-8 yet.
            return content.decode("cp1252")
    except (OSError, UnicodeError, LookupError) as error:
        raise SpendError(f"Cannot read {path}: {error}") from error


def _column(header: list[str], role: str, name: str | None, path: Path) -> int:
    lowered = [title.lower() for title in header]
    for candidate in [name.lower()] if name else KNOWN_COLUMNS[role]:
        if candidate in lowered:
            return lowered.index(candidate)
    looked_for = f"a column {name!r}" if name else f"a column for the {role}; name it with --{role}"
    raise SpendError(f"Expected {looked_for}, and {path} has {', '.join(header)}.")
