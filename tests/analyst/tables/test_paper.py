"""Answers on paper: a PDF that readers can open, on as many pages as it takes, and what its fonts cannot hold."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from datetime import date

import pytest

from apps.analyst.tables.paper import Paper, paper_text, paper_word
from apps.analyst.tables.paper_pdf import HEIGHT, MARGIN, WIDTH, LettersMissing, paper_pdf
from apps.analyst.telling.exports import result_file
from apps.analyst.types import Answer, Result, ResultColumn

PAPER = Paper(
    title="Total amount by region",
    sentences=["West has the highest total (20) \\ of all."],
    head=["Region", "Total"],
    rows=[["West", "20"], ["East", "−10"]],
    right=[False, True],
    notes=[("Source", "deals (3 rows)")],
)
DRAWN = re.compile(rb"/(\w) ([\d.]+) Tf ([\d.]+) ([\d.]+) Td \((.*?)\) Tj", re.DOTALL)


def texts(content: bytes) -> list[bytes]:
    return [found[5] for found in DRAWN.finditer(content)]


def test_its_table_of_objects_leads_to_them() -> None:
    content = paper_pdf(PAPER)
    at = int(content.rsplit(b"startxref\n", 1)[1].split(b"\n")[0])
    assert content[at:].startswith(b"xref\n")
    places = re.findall(rb"(\d{10}) 00000 n", content[at:])
    assert len(places) == 6
    for number, place in enumerate(places, 1):
        assert content[int(place) :].startswith(b"%d 0 obj\n" % number)
    length = int(re.findall(rb"/Length (\d+)", content)[0])
    assert content.split(b"stream\n", 1)[1][length:].startswith(b"\nendstream")


def test_it_says_what_stands_on_the_paper() -> None:
    said = texts(paper_pdf(PAPER))
    assert said == [
        b"Total amount by region",
        rb"West has the highest total \(20\) \\ of all.",
        *(b"Region", b"Total", b"West", b"20", b"East", b"-10"),
        rb"Source: deals \(3 rows\)",
    ]


def test_long_tables_and_wide_ones_stay_on_their_pages() -> None:
    rows = [[f"row {number}", *["a cell with many words in it"] * 9] for number in range(200)]
    wide = replace(PAPER, head=["n", *["a long head"] * 9], rows=rows, right=[False] * 10)
    content = paper_pdf(replace(wide, sentences=["word " * 400 + "x" * 400]))
    assert int(re.findall(rb"/Count (\d+)", content)[0]) > 3
    for found in DRAWN.finditer(content):
        x, y = float(found[3]), float(found[4])
        assert MARGIN - 1 <= x < WIDTH - MARGIN
        assert MARGIN - 1 <= y < HEIGHT - MARGIN
    assert b"row 199" in texts(content)


def test_lines_end_on_the_page_by_the_widths_that_its_fonts_declare() -> None:
    """Readers without Helvetica draw another font, and draw it as narrow as the file says."""
    sentence = "The 23 WWWW managers of ÄÖÜ branches, (mmmm) & co., are in the lead. " * 20
    content = paper_pdf(replace(PAPER, title=sentence, sentences=[sentence], notes=[("Source", sentence)]))
    declared = [list(map(int, found.split())) for found in re.findall(rb"/Widths \[([\d ]+)\]", content)]
    widths = dict(zip((b"R", b"B"), declared, strict=True))
    assert [len(of) for of in declared] == [256 - 32] * 2
    lines = 0
    for font, size, x, _, text in (found.groups() for found in DRAWN.finditer(content)):
        said = re.sub(rb"\\(.)", rb"\1", text)
        lines += 1
        assert float(x) + sum(widths[font][byte - 32] for byte in said) * float(size) / 1000 <= WIDTH - MARGIN + 1
    assert lines > 20


def test_letters_that_its_fonts_lack_are_refused_and_told_in_a_word_file() -> None:
    with pytest.raises(LettersMissing):
        paper_pdf(replace(PAPER, title="売上"))
    columns = (ResultColumn("city", "text", "dimension"),)
    said = Answer("answered", "**Łódź** leads.", result=Result(columns, (("Łódź",),), 1))
    made = result_file("pdf", said, "cities", date(2025, 1, 10))
    assert made is not None
    assert made.file_name == "cities.docx"


def test_plain_text_keeps_columns_in_line() -> None:
    lines = paper_text(PAPER).decode().splitlines()
    at = lines.index("Region  Total")
    assert lines[at + 1 : at + 4] == ["------  -----", "West       20", "East      −10"]


@pytest.mark.parametrize("written", [paper_pdf, paper_text, paper_word])
def test_one_long_cell_costs_what_it_is_long_and_not_its_square_nor_its_row_after_row(written) -> None:
    def seconds(letters: int) -> float:
        long, others = "W" * letters, [["West", "20"]] * 400
        paper = replace(PAPER, title=long, sentences=[long], rows=[[long, "20"], *others], notes=[("Source", long)])
        begun = time.process_time()
        assert len(written(paper)) < 40 * letters + 200_000
        return time.process_time() - begun

    short = max(0.05, min(seconds(5_000) for _ in range(3)))
    assert seconds(50_000) < 30 * short, "ten times the letters take some ten times as long, not a hundred times"


def test_a_cell_cannot_begin_a_line_of_its_own_in_plain_text() -> None:
    cells = ["West\n=1+1", "East\r\x0b@x", "North\u2028+1", "South\x85-1"]
    lines = paper_text(replace(PAPER, rows=[[cell, "20"] for cell in cells])).decode().splitlines()
    assert not [line for line in lines if line[:1] in ("=", "@", "+", "-") and not line.startswith("---")]
    assert "West =1+1     20" in lines


def test_nothing_that_is_quoted_begins_a_line_of_its_own_in_plain_text() -> None:
    quoted = replace(PAPER, title="Sales in\nWest", notes=[("Filter", "Region is West\nSource: nobody")])
    lines = paper_text(quoted).decode().splitlines()
    assert lines[0] == "Sales in West"
    assert lines[-1] == "Filter: Region is West Source: nobody"


def test_a_long_word_loses_no_letter_on_its_way_over_the_lines() -> None:
    word = "".join(chr(97 + number % 26) for number in range(1_000))
    said = texts(paper_pdf(replace(PAPER, sentences=[f"see {word} there"])))
    assert word in b"".join(said[1:]).decode().replace("see", "", 1)
