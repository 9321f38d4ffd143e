"""A monthly report as text, with a bar for each category."""

from spend.money import format_amount
from spend.report import CategoryTotal, MonthReport
from spend.table import pad, text_width

BAR_WIDTH = 24
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def render_report(report: MonthReport, ascii_only: bool = False) -> str:
    lines = [report.month.title, ""]
    if not report.categories:
        return "\n".join([*lines, "Nothing was spent.", "", _comparison(report)])
    largest = max(max(total.cents for total in report.categories), 1)
    name_width = max(text_width(name) for name in ["Total", *(total.category for total in report.categories)])
    amount_width = max(len(format_amount(cents)) for cents in [report.cents, *(t.cents for t in report.categories)])
    for total, share in zip(report.categories, report.shares()):
        cells = [
            pad(total.category, name_width),
            render_bar(total.cents, largest, BAR_WIDTH, ascii_only),
            pad(format_amount(total.cents), amount_width, right=True),
            pad(f"{share}%", 4, right=True),
            _budget_note(total),
        ]
        lines.append("  ".join(cells).rstrip())
    total_cells = [pad("Total", name_width), " " * BAR_WIDTH, pad(format_amount(report.cents), amount_width, right=True)]
    return "\n".join([*lines, "", "  ".join(total_cells), _comparison(report)])


def render_bar(cents: int, largest: int, width: int, ascii_only: bool = False) -> str:
    """A bar whose length is to ``width`` as ``cents`` is to ``largest``, filled up with spaces."""
    eighths = max(cents, 0) * width * 8 // largest
    full, rest = divmod(eighths, 8)
    if ascii_only:
        return ("#" * (full + (rest >= 4))).ljust(width)
    return ("█" * full + _EIGHTHS[rest].strip()).ljust(width)


def _budget_note(total: CategoryTotal) -> str:
    if total.budget is None:
        return ""
    left = total.budget - total.cents
    if left < 0:
        return f"{format_amount(-left)} over the budget of {format_amount(total.budget)}"
    return f"{format_amount(left)} left of {format_amount(total.budget)}"


def _comparison(report: MonthReport) -> str:
    before = report.month.previous.title
    difference = report.cents - report.previous_cents
    if difference == 0:
        return f"As much as in {before}"
    return f"{format_amount(abs(difference))} {'more' if difference > 0 else 'less'} than in {before}"
