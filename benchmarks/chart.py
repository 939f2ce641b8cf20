"""A line chart as SVG text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

COLORS = ("#1b6ca8", "#b3541e", "#3c7a3c", "#6b4c9a")
DASHES = ("", "7 4", "2 3", "9 3 2 3")
WIDTH, HEIGHT, MARGIN = 520, 340, 56


def line_chart(
    title: str,
    x_name: str,
    y_name: str,
    lines: Mapping[str, Sequence[tuple[float, float]]],
    *,
    y_range: tuple[float, float],
    y_ticks: Sequence[float],
    y_format: str = "{:.0%}",
    x_ticks: Sequence[float] | None = None,
) -> str:
    """A chart of named lines of (x, y) points; lines differ in colour and dash. y outside is cut off."""
    xs = [x for points in lines.values() for x, _ in points]
    ticks = sorted(set(xs)) if x_ticks is None else x_ticks
    left, right = min([*xs, *ticks]), max([*xs, *ticks])
    low, high = y_range

    def at(x: float, y: float) -> str:
        across = MARGIN + (x - left) / ((right - left) or 1) * (WIDTH - 2 * MARGIN)
        up = HEIGHT - MARGIN - (min(max(y, low), high) - low) / (high - low) * (HEIGHT - 2 * MARGIN)
        return f"{across:.1f},{up:.1f}"

    def text(x: float, y: float, words: str, more: str = 'text-anchor="middle"') -> str:
        return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{escape(words)}</text>'

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        f'font-size="12"><rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        text(WIDTH / 2, 22, title, 'text-anchor="middle" font-size="14"'),
        text(WIDTH / 2, HEIGHT - 12, x_name),
        text(16, HEIGHT / 2, y_name, f'text-anchor="middle" transform="rotate(-90 16 {HEIGHT / 2})"'),
    ]
    for tick in y_ticks:
        y = float(at(left, tick).split(",")[1])
        parts.append(f'<path d="M{at(left, tick)} L{at(right, tick)}" stroke="#ddd"/>')
        parts.append(text(MARGIN - 6, y + 4, y_format.format(tick), 'text-anchor="end"'))
    for tick in ticks:
        parts.append(text(float(at(tick, low).split(",")[0]), HEIGHT - MARGIN + 17, f"{tick:g}"))
    for number, (name, points) in enumerate(lines.items()):
        color, dash = COLORS[number % len(COLORS)], DASHES[number % len(DASHES)]
        path = " ".join(at(x, y) for x, y in points)
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2" '
            f'stroke-dasharray="{dash}"/>'
        )
        for x, y in points:
            px, py = at(x, y).split(",")
            parts.append(f'<circle cx="{px}" cy="{py}" r="3" fill="{color}"/>')
        y = 44 + 15 * number
        parts.append(
            f'<path d="M{WIDTH - 150},{y - 4} h26" stroke="{color}" stroke-width="2" '
            f'stroke-dasharray="{dash}"/>'
        )
        parts.append(text(WIDTH - 118, y, name, ""))
    return "\n".join([*parts, "</svg>", ""])
