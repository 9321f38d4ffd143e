"""Days as people type them."""

from datetime import date, datetime, timedelta

from spend.errors import SpendError

ISO_FORMAT = "%Y-%m-%d"


def parse_day(text: str, day_format: str = ISO_FORMAT) -> date:
    """Reads a day in the given ``strptime`` format; ``today`` and ``yesterday`` are understood as well."""
    word = text.strip().lower()
    if word == "today":
        return date.today()
    if word == "yesterday":
        return date.today() - timedelta(days=1)
    try:
        return datetime.strptime(text.strip(), day_format).date()
    except ValueError:
        example = date(2024, 3, 31).strftime(day_format)
        raise SpendError(f"Expected a day such as {example}, got {text!r}.") from None
