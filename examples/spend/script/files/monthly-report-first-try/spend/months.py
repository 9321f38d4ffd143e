"""Calendar months."""

from dataclasses import dataclass
from datetime import date, timedelta

from spend.errors import SpendError


@dataclass(frozen=True, order=True, slots=True)
class Month:
    year: int
    number: int

    @classmethod
    def of(cls, day: date) -> "Month":
        return cls(day.year, day.month)

    @classmethod
    def parse(cls, text: str) -> "Month":
        """Reads a month such as ``2024-03``."""
        try:
            return cls.of(date.fromisoformat(f"{text.strip()}-01"))
        except ValueError:
            raise SpendError(f"Expected a month such as 2024-03, got {text!r}.") from None

    @property
    def first_day(self) -> date:
        return date(self.year, self.number, 1)

    @property
    def last_day(self) -> date:
        return self.first_day + timedelta(days=30)

    @property
    def previous(self) -> "Month":
        return Month.of(self.first_day - timedelta(days=1))

    @property
    def title(self) -> str:
        """The month in words: ``March 2024``."""
        return f"{self.first_day:%B %Y}"

    def __str__(self) -> str:
        return f"{self.year:04d}-{self.number:02d}"
