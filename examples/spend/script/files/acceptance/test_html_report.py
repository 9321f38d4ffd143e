import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def page(spend):
    spend("add", "100", "rent", "--date", "2024-01-31")
    spend("add", "50.25", "food", "--date", "2024-02-29")
    spend("add", "50", "rent", "--date", "2024-12-31")
    spend("add", "999", "rent", "--date", "2025-01-01")
    assert spend("html", "2024") == "Wrote spending-2024.html\n"
    return Path("spending-2024.html").read_text(encoding="utf-8")


def chart(page):
    return ElementTree.fromstring(re.search(r"<svg.*?</svg>", page, re.DOTALL).group())


def test_the_chart_has_a_bar_for_every_month_in_proportion(page):
    heights = [float(bar.get("height")) for bar in chart(page).iter(f"{SVG}rect") if bar.get("class") == "bar"]
    assert len(heights) == 12
    assert heights[0] == pytest.approx(2 * heights[11], abs=0.2)
    assert heights[1] == pytest.approx(heights[0] * 0.5025, abs=0.2)
    assert heights[2] == 0
    labels = [text.text for text in chart(page).iter(f"{SVG}text") if text.get("class") == "label"]
    assert (labels[0], labels[11]) == ("Jan", "Dec")


def test_the_chart_can_be_read_out(page):
    assert chart(page).get("role") == "img"
    assert chart(page).find(f"{SVG}title").text == "Spending by month in 2024"
    titles = [bar.find(f"{SVG}title").text for bar in chart(page).iter(f"{SVG}rect")]
    assert titles[1] == "February 2024: 50.25"


def test_the_scale_has_round_amounts_and_reaches_over_the_largest_bar(page):
    scale = [text.text for text in chart(page).iter(f"{SVG}text") if text.get("class") == "scale"]
    assert scale[0] == "0"
    assert float(scale[-1].replace(",", "")) >= 100
    assert len(scale) <= 6


def test_the_tables_add_up(page):
    text = re.sub(r"<[^>]+>", " ", page)
    assert "200.25 in all" in text
    assert re.search(r"rent\s+150\.00", text)
    assert "999" not in text


def test_every_tag_is_closed(page):
    class Checker(HTMLParser):
        open_tags: list[str] = []

        def handle_starttag(self, tag, attributes):
            if tag not in ("meta", "line", "rect/"):
                self.open_tags.append(tag)

        def handle_startendtag(self, tag, attributes):
            pass

        def handle_endtag(self, tag):
            assert self.open_tags.pop() == tag

    checker = Checker()
    checker.feed(page)
    assert checker.open_tags == []
    assert page.startswith("<!DOCTYPE html>")


def test_the_page_needs_nothing_from_elsewhere(page):
    without_namespace = page.replace("http://www.w3.org/2000/svg", "")
    for outside in ("http:", "https:", "//", "src=", "<link", "<script", "@import", "url("):
        assert outside not in without_namespace


def test_a_year_without_entries_is_a_page_too(spend):
    spend("html", "1999", "-o", "empty.html")
    assert len(chart(Path("empty.html").read_text()).findall(f"{SVG}rect")) == 12


def test_a_page_that_is_there_is_kept_unless_told_otherwise(page, spend):
    assert "--force" in spend("html", "2024", code=1)
    spend("html", "2024", "--force")
    spend("html", "0", code=1)
