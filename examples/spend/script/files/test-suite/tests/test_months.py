from calendar import monthrange
from datetime import date, timedelta

import pytest

from spend.errors import SpendError
from spend.months import Month


@pytest.mark.parametrize("year", [1900, 2000, 2023, 2024])
def test_every_day_of_a_year_is_in_its_month_and_in_no_other(year):
    day = date(year, 1, 1)
    while day.year == year:
        month = Month.of(day)
        assert month.first_day <= day <= month.last_day
        assert not month.next.first_day <= day
        assert not day <= month.previous.last_day
        day += timedelta(days=1)


def test_last_days_agree_with_the_calendar():
    for number in range(1, 13):
        assert Month(2024, number).last_day.day == monthrange(2024, number)[1]


def test_the_year_turns_in_both_directions():
    assert Month(2023, 12).next == Month(2024, 1)
    assert Month(2024, 1).previous == Month(2023, 12)
    assert Month(2024, 11).next == Month(2024, 12)
    assert Month(2024, 2).previous == Month(2024, 1)


def test_months_are_read_written_and_ordered():
    month = Month.parse(" 2024-03 ")
    assert (month, str(month), month.title) == (Month(2024, 3), "2024-03", "March 2024")
    assert [Month(2024, number).name for number in (1, 12)] == ["January", "December"]
    assert Month(2023, 12) < Month(2024, 1)


@pytest.mark.parametrize("text", ["", "2024", "2024-13", "2024-00", "24-03", "2024-3-1", "March", "0001-01", "9999-12"])
def test_what_is_no_month_is_refused(text):
    with pytest.raises(SpendError, match="Expected a month"):
        Month.parse(text)


def test_the_first_and_the_last_year_that_have_neighbours_are_read():
    assert Month.parse("0002-01").previous.last_day == date(1, 12, 31)
    assert Month.parse("9998-12").next.first_day == date(9999, 1, 1)
