"""A paper as PDF, in the fonts that every reader has (PDF 1.4, A4), so that no font and no library is needed.

Those fonts hold the letters of western languages alone; a paper with others is refused, and told in another format.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from apps.analyst.tables.paper import Paper

WIDTH, HEIGHT, MARGIN = 595, 842, 50
_INNER = WIDTH - 2 * MARGIN
_TITLE, _TEXT, _CELL, _NOTE = 15.0, 10.5, 9.0, 8.5
_LEADING = 1.4
_BETWEEN = 10.0  # between two columns
_NARROWEST = 30.0
_LIKE = str.maketrans({"−": "-", "\u00a0": " ", "\u202f": " ", "\u2009": " ", "\t": " ", "\n": " ", "\r": " "})
_WIDTHS = dict(
    zip(
        map(chr, range(32, 127)),
        (278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, *[556] * 10, 278, 278, 584,
         584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722,
         667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556,
         222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584),
        strict=True,
    )
)  # fmt: skip
"""Helvetica's, in thousandths of the size; its bold face is a twentieth wider."""
_THINNEST = min(_WIDTHS.values())


class LettersMissing(Exception):
    """The paper has letters that the fonts do not hold."""


def paper_pdf(paper: Paper) -> bytes:
    """The paper as a PDF file. Raises LettersMissing."""
    pages = _Pages()
    for line in _wrapped(paper.title, _TITLE, bold=True):
        pages.line([(MARGIN, line)], _TITLE, bold=True)
    pages.down(_TEXT / 2)
    for sentence in paper.sentences:
        for line in _wrapped(sentence, _TEXT):
            pages.line([(MARGIN, line)], _TEXT)
    pages.down(_TEXT)
    for at, cells in enumerate(_placed(paper)):
        pages.line(cells, _CELL, bold=at == 0)
    pages.down(_TEXT)
    for name, said in paper.notes:
        for line in _wrapped(f"{name}: {said}", _NOTE):
            pages.line([(MARGIN, line)], _NOTE)
    return _file(["\n".join(page) for page in pages.drawn])


@dataclass(slots=True)
class _Pages:
    """Lines from top to bottom, on as many pages as they need."""

    drawn: list[list[str]] = field(default_factory=lambda: [[]])
    y: float = HEIGHT - MARGIN

    def down(self, by: float) -> None:
        self.y -= by

    def line(self, texts: Sequence[tuple[float, str]], size: float, *, bold: bool = False) -> None:
        """Texts beside one another, each from its place on."""
        self.y -= size * _LEADING
        if self.y < MARGIN:
            self.drawn.append([])
            self.y = HEIGHT - MARGIN - size * _LEADING
        font = "B" if bold else "R"
        for x, text in texts:
            said = _letters(text).replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
            self.drawn[-1].append(f"BT /{font} {size} Tf {x:.1f} {self.y:.1f} Td ({said}) Tj ET")


def _letters(text: str) -> str:
    said = text.translate(_LIKE)
    try:
        said.encode("cp1252")
    except UnicodeEncodeError as error:
        raise LettersMissing from error
    return said


def _width(text: str, size: float, *, bold: bool = False) -> float:
    return sum(_WIDTHS.get(letter, 600) for letter in text) * size / 1000 * (1.05 if bold else 1)


def _wrapped(text: str, size: float, *, bold: bool = False) -> Iterator[str]:
    line = ""
    for word in text.split():
        for number, piece in enumerate(_pieces(word, size, bold=bold)):
            longer = f"{line} {piece}" if line else piece
            if line and (number or _width(longer, size, bold=bold) > _INNER):
                yield line
                line = piece
            else:
                line = longer
    yield line


def _pieces(word: str, size: float, *, bold: bool) -> Iterator[str]:
    """A word in parts that fit a line each."""
    at = 0
    while at < len(word):
        seen = word[at : at + _most_letters(_INNER, size)]
        cut = max(1, _fitting(seen, _INNER, size, bold=bold))
        yield seen[:cut]
        at += cut


def _most_letters(room: float, size: float) -> int:
    """No more letters than these fit, however thin they are."""
    return int(room / size * 1000 / _THINNEST) + 1


def _fitting(text: str, room: float, size: float, *, bold: bool = False) -> int:
    """How many letters from the start fit, found in one pass."""
    return bisect_right(list(accumulate(_width(letter, size, bold=bold) for letter in text)), room)


def _placed(paper: Paper) -> Iterator[list[tuple[float, str]]]:
    """Each line of the table with the places of its cells; what does not fit ends with dots."""
    lines = [[_letters(_beginning(cell)) for cell in line] for line in paper.lines()]
    wanted = [max(_width(line[at], _CELL, bold=True) for line in lines) for at in range(len(paper.head))]
    widths = _shared(wanted, _INNER - _BETWEEN * (len(wanted) - 1))
    for line in lines:
        x, cells = float(MARGIN), []
        for cell, width, right in zip(line, widths, paper.right, strict=True):
            text = _fitted(cell, width)
            cells.append((x + width - _width(text, _CELL) if right else x, text))
            x += width + _BETWEEN
        yield cells


def _shared(wanted: Sequence[float], room: float) -> list[float]:
    """The widths that are wanted; where that is more than there is room for, wide columns give first."""
    if sum(wanted) <= room:
        return list(wanted)
    most = max(_NARROWEST, room / len(wanted))
    narrow = sum(width for width in wanted if width <= most)
    wide = sum(1 for width in wanted if width > most)
    left = max(_NARROWEST, (room - narrow) / wide) if wide else most
    return [width if width <= most else min(width, left) for width in wanted]


def _fitted(text: str, width: float) -> str:
    if _width(text, _CELL) <= width + 0.1:
        return text
    return f"{text[: _fitting(text, width - _width('…', _CELL), _CELL)]}…"


def _beginning(cell: str) -> str:
    """As much of a cell as a whole line could show, and a letter more that says that it goes on."""
    return cell[: _most_letters(_INNER, _CELL) + 1]


def _file(pages: Sequence[str]) -> bytes:
    first = 5  # catalog, list of pages, two fonts
    kids = " ".join(f"{first + 2 * at} 0 R" for at in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        *(
            f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding {_measured(bold)} >>".encode()
            for name, bold in (("Helvetica", False), ("Helvetica-Bold", True))
        ),
    ]
    for at, page in enumerate(pages):
        content = page.encode("cp1252")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] /Contents {first + 2 * at + 1} 0 R "
            "/Resources << /Font << /R 3 0 R /B 4 0 R >> >> >>".encode()
        )
        objects.append(f"<< /Length {len(content)} >>\nstream\n".encode() + content + b"\nendstream")
    out, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    head = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    return out + f"{head}trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n".encode()


def _measured(bold: bool) -> str:
    """The widths that lines were broken by: a reader that lacks the font draws another one as narrow as that."""
    letters = bytes(range(32, 256)).decode("cp1252", errors="replace")
    widths = " ".join(f"{_width(letter, 1000, bold=bold):.0f}" for letter in letters)
    return f"/FirstChar 32 /LastChar 255 /Widths [{widths}]"
