"""Bar charts as SVG, drawn without any library."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from spend.money import format_amount

WIDTH, HEIGHT = 760, 280
_LEFT, _RIGHT, _TOP, _BOTTOM = 80, 10, 14, 28
_PLOT_WIDTH, _PLOT_HEIGHT = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM


@dataclass(frozen=True, slots=True)
class Bar:
    label: str
    # Read out and shown when pointed at.
    title: str
    cents: int


def render_bar_chart(title: str, bars: Sequence[Bar]) -> str:
    """One column for each bar over a scale of round amounts. Bars below zero are drawn as nothing."""
    step = scale_step(max((bar.cents for bar in bars), default=0))
    lines = max(-(-max((bar.cents for bar in bars), default=0) // step), 1)
    top = step * lines
    parts = [
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="chart-title" xmlns="http://www.w3.org/2000/svg">',
        f'<title id="chart-title">{escape(title)}</title>',
    ]
    for line in range(lines + 1):
        y = _y(line * step, top)
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        amount = format_amount(line * step).removesuffix(".00")
        parts.append(f'<text class="scale" x="{_LEFT - 8}" y="{y + 4:.1f}">{amount}</text>')
    slot = _PLOT_WIDTH / max(len(bars), 1)
    for index, bar in enumerate(bars):
        x, y = _LEFT + slot * (index + 0.15), _y(max(bar.cents, 0), top)
        parts.append(
            f'<rect class="bar" x="{x:.1f}" y="{y:.1f}" width="{slot * 0.7:.1f}"'
            f' height="{_y(0, top) - y:.1f}" rx="2"><title>{escape(bar.title)}</title></rect>'
        )
        middle = _LEFT + slot * (index + 0.5)
        parts.append(f'<text class="label" x="{middle:.1f}" y="{HEIGHT - 8}">{escape(bar.label)}</text>')
    return "\n".join([*parts, "</svg>"])


def scale_step(largest: int) -> int:
    """Cents between two lines of the scale: 1, 2 or 5 units of some power of ten, so that there are at most five lines."""
    step = 100
    while True:
        for factor in (1, 2, 5):
            if step * factor * 5 >= largest:
                return step * factor
        step *= 10


def _y(cents: int, top: int) -> float:
    return _TOP + _PLOT_HEIGHT * (1 - cents / top)
