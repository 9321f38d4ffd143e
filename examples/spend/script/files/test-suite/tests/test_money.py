import random

import pytest

from spend.errors import SpendError
from spend.exporting import decimal_text
from spend.money import LARGEST_CENTS, format_amount, parse_amount


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("0", 0),
        ("7", 700),
        ("7.5", 750),
        ("7.05", 705),
        ("0.29", 29),
        ("+3", 300),
        ("-0.01", -1),
        ("\u22122.50", -250),
        ("1,234.50", 123450),
        ("12,345,678.90", 1234567890),
        (" 1 234.50 ", 123450),
        ("1'234.50", 123450),
    ],
)
def test_amounts_are_read_exactly(text, cents):
    assert parse_amount(text) == cents


@pytest.mark.parametrize(("text", "cents"), [("45,90", 4590), ("1.954,10", 195410), ("-3,2", -320), ("2.500", 250000)])
def test_a_comma_can_be_the_decimal_sign(text, cents):
    assert parse_amount(text, decimal=",") == cents


@pytest.mark.parametrize("text", ["", ".", "1.", ".5", "1.234", "1,23", "12,3456.00", "1e3", "nan", "0x10", "--1", "1.2.3", "٣"])
def test_what_is_no_amount_is_refused(text):
    with pytest.raises(SpendError, match="Expected an amount"):
        parse_amount(text)


def test_the_largest_amount_is_read_and_one_cent_more_is_refused():
    largest = decimal_text(LARGEST_CENTS)
    assert parse_amount(largest) == LARGEST_CENTS
    with pytest.raises(SpendError, match="up to"):
        parse_amount(decimal_text(LARGEST_CENTS + 1))


@pytest.mark.parametrize(
    ("cents", "text"),
    [(0, "0.00"), (5, "0.05"), (-5, "-0.05"), (99, "0.99"), (100, "1.00"), (-123456, "-1,234.56"), (100_000_000, "1,000,000.00")],
)
def test_amounts_are_written_with_thousands_apart(cents, text):
    assert format_amount(cents) == text


def test_what_is_written_is_read_as_the_same():
    numbers = random.Random(7)
    for _ in range(500):
        cents = numbers.randint(-LARGEST_CENTS, LARGEST_CENTS)
        assert parse_amount(format_amount(cents)) == cents
        assert parse_amount(decimal_text(cents)) == cents
