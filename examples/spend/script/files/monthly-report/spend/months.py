"""Calendar months."""

from dataclasses import dataclass
from datetime import MAXYEAR, date, timedelta

from spend.errors import SpendError

# Not from the locale: a report reads the same on every machine.
_NAMES = (
    "January February March April May June July August September October November December".split()
)


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
            month = cls.of(date.fromisoformat(f"{text.strip()}-01"))
        except ValueError:
            raise SpendError(f"Expected a month such as 2024-03, got {text!r}.") from None
        if not 1 < month.year < MAXYEAR:
            raise SpendError(f"Expected a month of the years 2 to {MAXYEAR - 1}, got {text!r}.")
        return month

    @property
    def first_day(self) -> date:
        return date(self.year, self.number, 1)

    @property
    def last_day(self) -> date:
        """The day before the next month begins: months differ in length, so nothing is counted here."""
        return self.next.first_day - timedelta(days=1)

    @property
    def next(self) -> "Month":
        return Month(self.year + 1, 1) if self.number == 12 else Month(self.year, self.number + 1)

    @property
    def previous(self) -> "Month":
        return Month(self.year - 1, 12) if self.number == 1 else Month(self.year, self.number - 1)

    @property
    def name(self) -> str:
        """``March``"""
        return _NAMES[self.number - 1]

    @property
    def title(self) -> str:
        """``March 2024``"""
        return f"{self.name} {self.year}"

    def __str__(self) -> str:
        return f"{self.year:04d}-{self.number:02d}"
