"""Finds where a text names columns: letter for letter, quoted in part, as tagged, and written together."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from apps.analyst.language.tagging import Tagged
from apps.analyst.language.vocabulary import vocabulary
from apps.analyst.types import Table

LEAST = 0.55


_EXACT, _LOOSE = 1.3, 1.0


_COMMON = frozenset(
    [
        "value",
        "values",
        "count",
        "number",
        "name",
        "mean",
        "median",
        "mode",
        "average",
        "std",
        "date",
        "time",
        "type",
        "rank",
        "score",
        "total",
        "index",
        "range",
        "normal",
        "p",
        "r",
        "x",
        "y",
        "z",
        "data",
        "result",
        "test",
        "rate",
        "percentage",
        "change",
        "level",
        "group",
        "label",
        "year",
        "month",
        "day",
        "text",
    ]
)
"""Words of every brief: as bare lower-case words they do not name a column of that name before its full name is met."""


_TASKS = frozenset(
    [
        "create",
        "creating",
        "creates",
        "generate",
        "generating",
        "perform",
        "performing",
        "calculate",
        "calculating",
        "compute",
        "computing",
        "find",
        "finding",
        "identify",
        "identifying",
        "determine",
        "check",
        "conduct",
        "report",
        "reporting",
        "consider",
        "apply",
        "applying",
        "handle",
        "handling",
        "use",
        "using",
        "close",
        "closed",
        "open",
        "define",
        "transform",
        "transforming",
        "normalize",
        "remove",
        "removing",
        "replace",
        "replacing",
        "fill",
        "group",
        "built",
    ]
)
"""What briefs tell to do: never a synonym of a column's name."""


_LITERAL = re.compile(r"\"[^\"\n]{1,80}\"|“[^”\n]{1,80}”|(?<!\w)'[^'\n]{1,80}'(?!\w)|`[^`\n]{1,80}`")


_GLUE = frozenset(["of", "the", "a", "an", "its", "in", "per", "for", "and", "to", "by"])


MOST_COLUMNS = 300
"""Beyond so many columns, names written together are not looked for."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of the text that names a column (or a column that the brief itself makes: then `made`)."""

    start: int
    end: int
    column: str
    score: float
    quoted: bool = False
    made: bool = False


def verbatim(text: str, name: str, *, made: bool = False) -> list[Mention]:
    """Where a name stands letter for letter, case aside; ordinary words only count when quoted or written as stored."""
    if not _within(name, text):
        return []
    found = []
    flexible = re.sub(r"(?:\\ |_)+", r"[\\s_]+", re.escape(name.strip()))
    for match in re.finditer(rf"(?<![A-Za-z0-9_]){flexible}(?![A-Za-z0-9_])", text, re.IGNORECASE):
        around = text[max(0, match.start() - 1) : match.start()], text[match.end() : match.end() + 1]
        quoted = around[0] in tuple("\"'“‘`") and around[1] in tuple("\"'”’`")
        same = match.group(0) == name.strip()
        plain = name.strip().casefold() in _COMMON or len(name.strip()) < 3
        shaped = bool(re.search(r"[_\d.:]|[a-z][A-Z]|^[A-Z]{2,}", name))
        if plain and not quoted and not (same and not name.islower() and not _starts_sentence(text, match.start())):
            continue
        if plain and not quoted and (name.islower() or re.match(r"[\s-]?scores?\b|-?values?\b", text[match.end() :])):
            continue
        score = _EXACT + (0.2 if quoted else 0.1 if shaped and same else 0.0) if quoted or same or shaped else _LOOSE
        start, end = (match.start() - 1, match.end() + 1) if quoted else match.span()
        found.append(Mention(start, end, name, score + (0.5 if made else 0.0), quoted=quoted, made=made))
    return found


def _within(name: str, text: str) -> bool:
    """Whether a name can stand in a text at all. Of thousands of names few do, and a pattern for each costs much."""
    plain = _squeezed(name.strip())
    return bool(plain) and plain in _squeezed(text)


@lru_cache(maxsize=65536)
def _squeezed(text: str) -> str:
    """Letters without case, spaces and underscores; upper case first, as patterns compare."""
    return re.sub(r"[\s_]+", "", text).upper().casefold()


def quoted_in_part(text: str, table: Table) -> list[Mention]:
    """Quoted literals whose words are all in one column's name, or the other way round: `land area` for "land area
    (sqmi)"."""
    found = []
    for match in _LITERAL.finditer(text):
        said = _content(match.group(0))
        best: tuple[float, str] | None = None
        for column in table.columns:
            for own in (_content(column.name), _content(re.sub(r"\([^)]*\)", "", column.name))):
                share = len(said & own) / max(1, len(said | own))
                if own and (said <= own or own <= said or share >= 0.6) and (best is None or share > best[0]):
                    best = share, column.name
        if best is not None:
            found.append(Mention(match.start(), match.end(), best[1], 0.95 + 0.4 * best[0], quoted=True))
    return found


def _content(name: str) -> frozenset[str]:
    """The words of a name without glue, spelled out where they are abbreviations."""
    plain = unicodedata.normalize("NFKD", name).casefold().replace("%", " percent ").replace("percentage", "percent")
    words = re.findall(r"[a-z]+|\d+", plain) if plain.isascii() else re.findall(r"[^\W\d_]+|\d+", plain)
    short = vocabulary().abbreviations
    return frozenset(full for word in words if word not in _GLUE for full in short.get(word, (word,)))


def _starts_sentence(text: str, position: int) -> bool:
    return position == 0 or bool(re.search(r"[.!?\n]\s*$", text[:position]))


def as_tagged(tagged: Tagged, offset: int, table: Table) -> list[Mention]:
    """The tagger's column names of that table."""
    found = []
    for item in tagged.items:
        hit = next((h for h in item.columns if h.table == table.name), None)
        if item.tables and not item.quoted and hit is not None and item.tables[0].score > hit.score:
            continue
        if hit is None or hit.score < LEAST or (item.norm in _COMMON and not item.quoted):
            continue
        if not item.quoted and ((hit.score < 0.9 and item.norm in _TASKS) or re.fullmatch(r"\d{1,3}", item.norm)):
            continue
        start, end = tagged.tokens[item.start].start, tagged.tokens[item.end - 1].end
        code = re.fullmatch(r"[A-Z][A-Z0-9]{2,}", item.text) and item.text in re.split(r"[\W_]+", hit.column)
        score = 0.95 if code else min(hit.score, 1.0) * 0.95
        found.append(Mention(start + offset, end + offset, hit.column, score, quoted=item.quoted))
    return found


def run_together(text: str, table: Table) -> list[Mention]:
    """Names that are words cut short and written together: "life expectancy" for lifeexp, "wind speed" for
    WINDSPEED."""
    words = [(m.group(0).casefold(), m.start(), m.end()) for m in re.finditer(r"[A-Za-z]+", text)]
    found = []
    for column in table.columns:
        name = re.sub(r"[^a-z]", "", column.name.casefold())
        if len(name) < 5 or not column.name.isascii():
            continue
        for index, (word, start, _) in enumerate(words):
            if word[:2] != name[:2]:
                continue
            end = _spelled(name, words, index, 0)
            if end is not None and end > index:
                found.append(Mention(start, words[end][2], column.name, 0.9))
    return found


def _spelled(name: str, words: list[tuple[str, int, int]], index: int, depth: int) -> int | None:
    """The index of the word that completes the name by starts of consecutive words, or None. At least two words."""
    if index >= len(words) or depth > 5:
        return None
    word = words[index][0]
    for length in range(min(len(word), len(name)), 1, -1):
        if length < 3 and length < len(word):
            break
        if not name.startswith(word[:length]):
            continue
        if length == len(name):
            return index if depth else None
        end = _spelled(name[length:], words, index + 1, depth + 1)
        if end is not None:
            return end
    return None
