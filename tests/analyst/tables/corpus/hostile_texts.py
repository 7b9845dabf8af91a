"""Text files made to hurt, and files that are no text whatever their names say."""

from __future__ import annotations

import gzip
import random
import zlib
from dataclasses import replace

from tests.analyst.tables.corpus.cases import Case, hostile

NOT_TEXT = "not a text file"
MB = 1 << 20


def _noise() -> bytes:
    return random.Random(4).randbytes(200_000)


def _png() -> bytes:
    return b"\x89PNG\r\n\x1a\n" + zlib.compress(bytes(4000))


def _looks_like_utf16() -> bytes:
    return "a,b\n".encode("utf-16-le") * 3 + b"\x00\xd8" * 500 + "1,2\n".encode("utf-16-le")


LOOKALIKES: list[Case] = [
    hostile("a pdf", b"%PDF-1.7\n" + bytes(range(256)) * 40, NOT_TEXT),
    hostile("a picture", _png, NOT_TEXT),
    hostile("a photograph", b"\xff\xd8\xff\xe0" + random.Random(1).randbytes(9000), NOT_TEXT),
    hostile("a gzipped table", lambda: gzip.compress(b"a,b\n1,2\n" * 999), NOT_TEXT),
    hostile("a program", b"\x7fELF\x02\x01\x01" + bytes(3000) + random.Random(2).randbytes(3000), NOT_TEXT),
    hostile("a database", b"SQLite format 3\x00" + bytes(5000), NOT_TEXT),
    hostile("a parquet file", b"PAR1" + random.Random(3).randbytes(5000) + b"PAR1", NOT_TEXT),
    hostile("a zip", b"PK\x03\x04" + random.Random(5).randbytes(3000), NOT_TEXT),
    hostile("an old workbook", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(3000), NOT_TEXT),
    hostile("noise", _noise, NOT_TEXT),
    hostile("nothing but nul bytes", bytes(50_000), "file.csv"),
    hostile("a web page", b"<html><body><table><tr><td>a</td></tr></table></body></html>\n" * 20, either=True),
    hostile("json", b'[{"a": 1, "b": [1, 2]}, {"a": 2, "b": []}]' * 50, either=True),
]

EMPTY: list[Case] = [
    hostile("nothing", b"", "is empty"),
    hostile("only a mark", b"\xef\xbb\xbf", "is empty"),
    hostile("only line ends", b"\n\r\n\n" * 500, "is empty"),
    hostile("only spaces", b"   \n  \t \n" * 500, "is empty"),
    hostile("only separators", b",,,,\n" * 500, "is empty"),
    hostile("only quotes", b'"' * 100_001, "file.csv"),
    hostile("only a header", b"name,amount,day\n", "no rows of data"),
    hostile("only a header, twice", b"name,amount,day\nname,amount,day\n", "no rows of data"),
    hostile("one letter", b"x", "no rows of data"),
]


def _line(size: int) -> bytes:
    return b"a,b\n" + b"x" * size + b",1\nshort,2\n"


def _many_rows_of_nothing() -> bytes:
    return b"a,b\n1,2\n" + b"\n" * 1_000_000 + b"3,4\n"


def _header(width: int) -> bytes:
    return ",".join(f"c{number}" for number in range(width)).encode() + b"\n1\n"


def _unclosed() -> bytes:
    rows = "".join(f"thing {n},{n}\n" for n in range(60_000))
    return f'name,n\nscreen 5" wide,3\n{rows}'.encode()


def _all_unclosed() -> bytes:
    return b"name,n\n" + b"".join(b'"open %d,%d\n' % (n, n) for n in range(3_001))


def _nested_groups() -> bytes:
    """A cell that makes careless patterns for numbers try every way to cut it."""
    return b"label,n\n" + b"".join(b"row %d,%s!\n" % (n, b"1," * 4_000 + b"1") for n in range(40)).replace(
        b",1,", b";1;"
    )


LARGE: list[Case] = [
    hostile("a line of ten megabytes", lambda: _line(10_000_000), rows=2),
    hostile("a cell of thirty megabytes", lambda: b'a,b\n"' + b"y\n" * (15 * MB) + b'",1\nshort,2\n', either=True),
    hostile("a million columns", lambda: _header(1_000_000), "more than 16,384 columns"),
    hostile("sixteen thousand columns", lambda: _header(16_384), rows=1, columns=16_384),
    hostile("one column too many", lambda: _header(16_385), "more than 16,384 columns"),
    hostile("a row of five million commas", lambda: b"a,b\n1,2\n" + b"," * 5_000_000 + b"\n3,4\n", rows=2),
    hostile("a million blank lines", _many_rows_of_nothing, rows=2),
    hostile("ten megabytes without a line end", lambda: b"abc " * (10 * MB // 4), "file.csv"),
    hostile("an unclosed quote before sixty thousand rows", _unclosed, rows=60_001),
    hostile("an unclosed quote in every row", _all_unclosed, either=True),
    hostile("a header of one huge name", lambda: b"n" * MB + b",b\n1,2\n3,4\n", rows=2),
    hostile("digits without end", lambda: b"label,n\na," + b"9" * MB + b"\nb,2\n", rows=2),
    hostile("cells that make patterns slow", _nested_groups, either=True),
    hostile("spaces without end", lambda: b"label,n\na," + b" " * (4 * MB) + b"1\nb,2\n", rows=2),
    hostile("brackets without end", lambda: b"label,n\na," + b"(" * MB + b"\nb,2\n", rows=2),
]

ODD: list[Case] = [
    hostile(
        "a cell per row that is a program",
        b"name,n\n=cmd|' /C calc'!A0,1\n@SUM(1+1)*cmd|' /C calc'!A0,2\n+1+1,3\n",
        rows=3,
    ),
    hostile("column names that are sql", b'"""; DROP TABLE t; --","a\'b",SELECT\n1,2,3\n4,5,6\n', rows=2),
    hostile("text that runs backwards", "na\u202eme,n\n\u2067Ann\u2069,1\nBob\u200f,2\n".encode(), rows=2),
    hostile("lone surrogates in utf-16", _looks_like_utf16, either=True),
    hostile("marks in the middle", b"\xef\xbb\xbfa,b\n\xef\xbb\xbf1,2\n3,4\n", rows=2),
    hostile("control characters", b"na\x01me,n\nA\x02nn,1\nB\x1bob,2\nCem,3\n" + b"Dan,4\n" * 50, rows=53),
    hostile("numbers past every limit", b"label,n\na,1e400\nb,-1e400\nc,1e308\nd,0.5e-400\n", rows=4),
    hostile("dates past every limit", b"label,day\na,9999-12-31\nb,0001-01-01\nc,2024-02-29\nd,1582-10-10\n", rows=4),
]

HOSTILE_TEXTS = [*LOOKALIKES, *EMPTY, *(replace(case, in_child=True) for case in LARGE), *ODD]
