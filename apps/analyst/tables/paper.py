"""An answer on paper: title, sentences, a table and how it came about, as plain text or a Word file.

Word's format is a zip of XML; a paper needs three of its parts, so no library is asked for it. `paper_pdf` writes PDF.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_PARTS = {
    "[Content_Types].xml": (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Override PartName="/word/document.xml" ContentType='
        '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
    ),
    "_rels/.rels": (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Id="document" '
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
        'Target="word/document.xml"/></Relationships>'
    ),
}
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""What ends a line, or moves about in it."""
_WIDEST = 80
"""Letters that a column of plain text is made wide at most: each row is filled up to its columns' widths."""
_BORDERS = "".join(f'<w:{side} w:val="single" w:sz="4" w:color="BFBFBF"/>' for side in ("top", "bottom", "insideH"))


@dataclass(frozen=True, slots=True)
class Paper:
    """What is on it. Cells are texts as people write them; `right` says which columns stand to the right."""

    title: str
    sentences: Sequence[str]
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: Sequence[bool]
    notes: Sequence[tuple[str, str]]

    def lines(self) -> list[Sequence[str]]:
        """The table with its head."""
        return [self.head, *self.rows]


def paper_text(paper: Paper) -> bytes:
    """The paper as plain text in UTF-8, its columns in line. A long cell is whole and pushes its own line alone."""
    lines = paper.lines()
    widths = [min(_WIDEST, max(len(line[at]) for line in lines)) for at in range(len(paper.head))]

    def drawn(cells: Sequence[str]) -> str:
        places = zip(cells, widths, paper.right, strict=True)
        return "  ".join(cell.rjust(width) if right else cell.ljust(width) for cell, width, right in places).rstrip()

    table = [drawn(lines[0]), "  ".join("-" * width for width in widths), *map(drawn, lines[1:])]
    notes = [f"{name}: {said}" for name, said in paper.notes]
    said = [paper.title, "", *paper.sentences, "", *table, "", *notes, ""]
    return "\n".join(_CONTROL.sub(" ", line) for line in said).encode()


def paper_word(paper: Paper) -> bytes:
    """The paper as a Word document."""
    body = [_paragraph(paper.title, bold=True, size=32), *(_paragraph(sentence) for sentence in paper.sentences)]
    body.append(_table(paper))
    body += [_paragraph(""), *(_paragraph(f"{name}: {said}", size=18) for name, said in paper.notes)]
    parts = {
        **_PARTS,
        "word/document.xml": f'<w:document xmlns:w="{_WORD}"><w:body>{"".join(body)}</w:body></w:document>',
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in parts.items():
            file.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), _HEAD + content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _paragraph(text: str, *, bold: bool = False, size: int = 22, right: bool = False) -> str:
    shape = '<w:pPr><w:jc w:val="right"/></w:pPr>' if right else ""
    heavy = "<w:b/>" if bold else ""
    words = escape(_NO_XML.sub("", text))
    return (
        f'<w:p>{shape}<w:r><w:rPr>{heavy}<w:sz w:val="{size}"/></w:rPr>'
        f'<w:t xml:space="preserve">{words}</w:t></w:r></w:p>'
    )


def _table(paper: Paper) -> str:
    def row(cells: Sequence[str], *, bold: bool) -> str:
        return "".join(
            f"<w:tc>{_paragraph(cell, bold=bold, size=20, right=right)}</w:tc>"
            for cell, right in zip(cells, paper.right, strict=True)
        )

    rows = "".join(f"<w:tr>{row(line, bold=at == 0)}</w:tr>" for at, line in enumerate(paper.lines()))
    grid = "<w:gridCol/>" * len(paper.head)
    return (
        f'<w:tbl><w:tblPr><w:tblW w:w="5000" w:type="pct"/><w:tblBorders>{_BORDERS}</w:tblBorders></w:tblPr>'
        f"<w:tblGrid>{grid}</w:tblGrid>{rows}</w:tbl>"
    )
