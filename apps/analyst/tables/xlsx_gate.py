"""Looks at a workbook's outside before anything parses it: what it is, how much it inflates to, how far its cells
reach.

A workbook is a zip of XML; a few kilobytes can claim gigabytes. Nothing here trusts what the file says about its own
size.
"""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

from apps.analyst.errors import ReadFailed
from apps.analyst.tables.wording import counted, was

MAX_ENTRIES = 10_000
MAX_INFLATED = 1 << 30
MAX_RATIO = 200
RATIO_FROM = 20 << 20
"""Parts that inflate to less than this may be packed as tightly as they like."""
MAX_CELLS = 40_000_000
"""Rows times columns of the rectangle that holds a sheet's cells: readers lay out all of it."""
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP = b"PK\x03\x04"
_BLOCK = 1 << 20
_CELL = re.compile(rb'r="([A-Z]{1,3})(\d{1,7})"')
_FAR_CELL = re.compile(rb'r="[A-Z]{3}\d')
_ROW = re.compile(rb'<(?:\w+:)?row [^>]*?r="(\d{1,7})"')
_HIDDEN = re.compile(rb'<(?:\w+:)?row [^>]*?hidden="(?:1|true)"')


class SheetsRefused(ReadFailed):
    """One sheet is such that no part of its workbook is read."""


def check(path: Path, display_name: str) -> zipfile.ZipFile:
    """The opened zip of a workbook that is safe to parse. Raises ReadFailed with the reason otherwise."""
    with path.open("rb") as file:
        head = file.read(8)
    if not head:
        raise ReadFailed(nothing_in(display_name))
    if head == _OLE:
        raise ReadFailed(_ole_reason(path, display_name))
    if not head.startswith(_ZIP):
        raise ReadFailed(_no_workbook(display_name))
    try:
        archive = zipfile.ZipFile(path)
        entries = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise ReadFailed(damaged(display_name)) from error
    if len(entries) > MAX_ENTRIES or sum(entry.file_size for entry in entries) > MAX_INFLATED:
        raise ReadFailed(_too_big(display_name))
    for entry in entries:
        if entry.flag_bits & 1:
            raise ReadFailed(_protected(display_name))
        if entry.file_size > RATIO_FROM and entry.file_size > MAX_RATIO * max(entry.compress_size, 1):
            raise ReadFailed(_too_big(display_name))
    if not any(entry.filename.endswith("workbook.xml") for entry in entries):
        raise ReadFailed(_no_workbook(display_name))
    return archive


def nothing_in(display_name: str) -> str:
    """What is said of a workbook without a table."""
    return f"{display_name} is empty. Please upload a workbook with a header row and at least one row of data."


def _no_workbook(display_name: str) -> str:
    return f"{display_name} is not an Excel workbook, whatever its name says. Please save it again as XLSX."


def damaged(display_name: str) -> str:
    """What is said of a workbook that cannot be parsed."""
    return f"{display_name} is damaged and cannot be opened. Please open it in Excel and save it again as XLSX."


def _protected(display_name: str) -> str:
    return f"{display_name} is protected by a password. Please remove the password and upload it again."


def _too_big(display_name: str) -> str:
    return f"{display_name} unpacks to more data than a workbook may hold. Please save only the data as CSV."


def _ole_reason(path: Path, display_name: str) -> str:
    """An OLE container is either an encrypted workbook or the Excel format of before 2007."""
    with path.open("rb") as file:
        start = file.read(1 << 20)
    if "EncryptedPackage".encode("utf-16-le") in start:
        return _protected(display_name)
    return f"{display_name} is in the old Excel format. Please save it as XLSX and upload it again."


def hidden_notes(rows: int) -> list[str]:
    """What is told about rows that the workbook hides."""
    return [f"{counted(rows, 'hidden row')} {was(rows)} read as well"] if rows else []


def hidden_in(text: bytes) -> int:
    """How many hidden rows begin in a piece of a sheet."""
    return len(_HIDDEN.findall(text)) if b"hidden=" in text else 0


def check_sheets(archive: zipfile.ZipFile, display_name: str) -> dict[str, int]:
    """Hidden rows per sheet part. Raises SheetsRefused where a sheet inflates past its claim or its cells lie too far
    apart."""
    hidden: dict[str, int] = {}
    total = 0
    for entry in archive.infolist():
        if not re.fullmatch(r"xl/worksheets/[^/]+\.xml", entry.filename):
            continue
        try:
            size, count, reach = _scan(archive, entry)
        except (zipfile.BadZipFile, OSError, ValueError, EOFError, RuntimeError, NotImplementedError) as error:
            raise SheetsRefused(damaged(display_name)) from error
        except Exception as error:  # zlib.error and its kin have no common base
            raise SheetsRefused(damaged(display_name)) from error
        total += size
        if total > MAX_INFLATED:
            raise SheetsRefused(_too_big(display_name))
        if reach > MAX_CELLS:
            raise SheetsRefused(
                f"{display_name} has cells so far apart that the sheet between them is too large to read. "
                "Please delete the empty rows and columns around the data."
            )
        hidden[entry.filename] = count
    return hidden


def _scan(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> tuple[int, int, int]:
    """Bytes of a sheet part, its hidden rows, and the area from A1 to its farthest row and column."""
    size = hidden = last_row = widest = 0
    carried = b""
    with archive.open(entry) as part:
        while block := part.read(_BLOCK):
            size += len(block)
            if size > entry.file_size + _BLOCK:
                raise zipfile.BadZipFile("the part is longer than it says")
            text = carried + block
            hidden += hidden_in(text)
            last_row = max(last_row, _last_row(text))
            widest = max(widest, _widest(text, first=not widest))
            carried = text[-64:] if len(block) == _BLOCK else b""
    return size, hidden, last_row * max(widest, 1)


def _last_row(text: bytes) -> int:
    """The highest row number near the end of a block: rows stand in order."""
    found = _ROW.findall(text[-65_536:]) or _ROW.findall(text)
    return max((int(number) for number in found[-50:]), default=0)


def _widest(text: bytes, *, first: bool) -> int:
    """The farthest column of a block: from its first cells, and from any cell past column ZZ."""
    widest = max((_column(letters) for letters, _ in _CELL.findall(text[:65_536])), default=0) if first else 0
    if _FAR_CELL.search(text):
        widest = max(
            widest, max((_column(letters) for letters, _ in _CELL.findall(text) if len(letters) == 3), default=0)
        )
    return widest


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number
