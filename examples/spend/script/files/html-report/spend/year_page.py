"""A year as one HTML file that needs nothing else: no script, no font, no network."""

from html import escape
from pathlib import Path

from spend.bar_chart import Bar, render_bar_chart
from spend.money import format_amount
from spend.report import percentages
from spend.year import YearReport

_STYLE = Path(__file__).parent / "page.css"


def render_year_page(report: YearReport) -> str:
    bars = [
        Bar(month.name[:3], f"{month.title}: {format_amount(cents)}", cents)
        for (month, _), cents in zip(report.months, report.month_cents)
    ]
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Spending in {report.year}</title>
<style>
{_STYLE.read_text(encoding="utf-8")}</style>
</head>
<body>
<h1>Spending in {report.year}</h1>
<p class="total">{format_amount(report.cents)} in all, {format_amount(_average(report))} a month on average</p>
<h2>By month</h2>
{render_bar_chart(f"Spending by month in {report.year}", bars)}
<h2>By category</h2>
{_category_table(report)}
<h2>Month by month</h2>
<div class="wide">
{_month_table(report)}
</div>
</body>
</html>
"""


def _average(report: YearReport) -> int:
    """Cents a month, over the months in which something was spent."""
    active = sum(1 for _, totals in report.months if totals)
    return report.cents // max(active, 1)


def _category_table(report: YearReport) -> str:
    shares = percentages([max(cents, 0) for _, cents in report.categories])
    rows = [
        f"<tr><th scope=\"row\">{escape(category)}</th><td>{format_amount(cents)}</td>"
        f'<td><meter min="0" max="100" value="{share}">{share}%</meter> {share}%</td></tr>'
        for (category, cents), share in zip(report.categories, shares)
    ]
    return _table(("Category", "Total", "Share"), rows)


def _month_table(report: YearReport) -> str:
    names = [category for category, _ in report.categories]
    rows = [
        f'<tr><th scope="row">{month.name}</th>'
        + "".join(f"<td>{_cell(totals.get(name))}</td>" for name in names)
        + f"<td>{_cell(sum(totals.values()) or None)}</td></tr>"
        for month, totals in report.months
    ]
    foot = "".join(f"<td>{format_amount(cents)}</td>" for _, cents in report.categories)
    foot = f'<tr><th scope="row">Total</th>{foot}<td>{format_amount(report.cents)}</td></tr>'
    return _table(("Month", *names, "Total"), rows, foot)


def _table(header: tuple[str, ...], rows: list[str], foot: str = "") -> str:
    head = "".join(f'<th scope="col">{escape(title)}</th>' for title in header)
    body = "\n".join(rows)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n<tfoot>{foot}</tfoot>\n</table>"


def _cell(cents: int | None) -> str:
    return "" if cents is None else format_amount(cents)
