"""What one expense is."""

from dataclasses import dataclass
from datetime import date

from spend.errors import SpendError

LONGEST_CATEGORY = 40


@dataclass(frozen=True, slots=True)
class Entry:
    """One expense. Negative cents are money that came back, such as a refund."""

    id: int
    day: date
    cents: int
    category: str
    description: str


def clean_category(text: str) -> str:
    """A category as it is kept: lower case, single spaces."""
    category = " ".join(text.lower().split())
    if not category:
        raise SpendError("Expected the name of a category, got nothing.")
    if len(category) > LONGEST_CATEGORY:
        raise SpendError(f"Expected a category of at most {LONGEST_CATEGORY} characters, got {len(category)}.")
    return category


def clean_description(text: str) -> str:
    """A description as it is kept: on one line, single spaces."""
    return " ".join(text.split())
