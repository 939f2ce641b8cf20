"""Charts are sound SVG with a point for each figure."""

from __future__ import annotations

from xml.etree import ElementTree

from benchmarks.chart import line_chart


def test_a_chart_has_every_line_and_point() -> None:
    lines = {"right": [(0.0, 0.9), (45.0, 1.0)], "a < b": [(0.0, 0.5)]}
    root = ElementTree.fromstring(line_chart("T", "x", "y", lines, y_range=(0.8, 1), y_ticks=(0.8, 1)))
    space = "{http://www.w3.org/2000/svg}"
    circles = root.findall(f"{space}circle")
    assert len(root.findall(f"{space}polyline")) == 2
    assert [float(circle.get("cx", 0)) for circle in circles] == [56, 464, 56]
    assert [float(circle.get("cy", 0)) for circle in circles] == [170, 56, 284]  # 0.5 is cut off at 0.8
    assert "a < b" in [text.text for text in root.iter(f"{space}text")]
