"""The one way texts are compared loosely: without case, accents and extra spaces."""

from __future__ import annotations

import re
import unicodedata


def fold(text: str) -> str:
    """Casefolded, accents stripped, white space collapsed and trimmed."""
    if text.isascii():
        return " ".join(text.lower().split())
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(ch for ch in decomposed if not unicodedata.combining(ch)).split())


_TAILED = re.compile(r"[a-z]*0*(\d{3,})")


def core_key(text: str) -> str:
    """A key as dirty keys are compared: letters and digits only, without case and leading zeros, and of a word before
    a number ("AW-00011000") the number alone ("11000"). SQL: `core_key_sql`.

    Only for columns whose cores are as distinct as their keys.
    """
    bare = re.sub(r"[^a-z0-9]", "", text.lower())
    match = _TAILED.fullmatch(bare)
    return (match.group(1) if match else bare).lstrip("0")


def key_part(text: str, start: int, length: int) -> str:
    """A stretch of a key's letters and digits without case, to the end where `length` is 0. SQL: `key_part_sql`."""
    bare = re.sub(r"[^a-z0-9]", "", text.lower())
    return bare[start : start + length] if length else bare[start:]


def key_part_sql(sql: str, start: str, length: str) -> str:
    """`key_part` of SQL expressions."""
    bare = f"regexp_replace(lower(CAST({sql} AS VARCHAR)), '[^a-z0-9]', '', 'g')"
    size = f"CASE WHEN {length} = 0 THEN 100000 ELSE {length} END"
    return f"substr({bare}, CAST({start} + 1 AS BIGINT), CAST({size} AS BIGINT))"


def core_key_sql(sql: str) -> str:
    """`core_key` of an SQL expression."""
    bare = f"regexp_replace(lower(CAST({sql} AS VARCHAR)), '[^a-z0-9]', '', 'g')"
    return f"ltrim(regexp_replace({bare}, '^[a-z]*0*([0-9]{{3,}})$', '\\1'), '0')"
