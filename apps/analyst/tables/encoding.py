"""Finds out how a text file is encoded. Reads bytes, never cells."""

from __future__ import annotations

import codecs
from pathlib import Path

from apps.analyst.errors import ReadFailed

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_PROBE = 1 << 20
_BLOCK = 1 << 22
_LABELS = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
    "utf-32": "UTF-32",
    "cp1252": "Windows-1252 (Western European)",
    "latin-1": "Latin-1",
}


def label(encoding: str) -> str:
    """The encoding's name for people."""
    return _LABELS.get(encoding, encoding)


def detect(path: Path, display_name: str) -> str:
    """The Python name of the file's encoding. Raises ReadFailed where the file is no text at all."""
    with path.open("rb") as file:
        head = file.read(_PROBE)
    for bom, name in _BOMS:
        if head.startswith(bom):
            return name
    wide = _wide_without_bom(head)
    if wide:
        return wide
    if _is_binary(head):
        raise ReadFailed(f"{display_name} is not a text file. Please save it as CSV or XLSX and upload it again.")
    if _is_utf8(path):
        return "utf-8"
    return _single_byte(head)


def _is_utf8(path: Path) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                if not block.isascii() or decoder.getstate()[0]:
                    decoder.decode(block)
            decoder.decode(b"", True)
    except UnicodeDecodeError:
        return False
    return True


def _wide_without_bom(head: bytes) -> str | None:
    """UTF-16 without a mark: every second byte of Western text is zero."""
    probe = head[:4096]
    if len(probe) < 4:
        return None
    even, odd = probe[0::2].count(0), probe[1::2].count(0)
    half = len(probe) // 2
    if odd > 0.6 * half and even < 0.05 * half:
        return "utf-16-le"
    if even > 0.6 * half and odd < 0.05 * half:
        return "utf-16-be"
    return None


_MAGIC = (
    b"PK\x03\x04",
    b"\xd0\xcf\x11\xe0",
    b"%PDF",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"\x1f\x8b",
    b"PAR1",
    b"SQLite format",
)


def _is_binary(head: bytes) -> bool:
    if head.startswith(_MAGIC):
        return True
    probe = head[:65536]
    control = sum(probe.count(byte) for byte in (*range(9), *range(14, 32), 127) if byte != 27)
    return control > 0.02 * len(probe) + 2 if probe else False


def _single_byte(head: bytes) -> str:
    """The likeliest one-byte encoding; Windows-1252 unless another is clearly better."""
    try:
        head.decode("cp1252")
        western = True
    except UnicodeDecodeError:
        western = False
    high = sum(1 for byte in head[:65536] if byte >= 0x80)
    if western and high < 0.15 * len(head[:65536]):
        return "cp1252"
    import charset_normalizer

    best = charset_normalizer.from_bytes(
        head[:65536], cp_isolation=["cp1252", "cp1251", "cp1250", "cp1253", "shift_jis", "gb18030", "big5", "euc_kr"]
    ).best()
    if best is not None:
        return best.encoding
    return "cp1252" if western else "latin-1"
