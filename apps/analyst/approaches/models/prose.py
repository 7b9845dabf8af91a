"""Is every figure of a text in its result, or does it follow from it, and is every word about it? Pure. Where not, the
template speaks instead.

A figure follows by an operation that its sentence states: a total or a mean of a column ("in all", "on average"), a
difference or a relative change of two of its cells ("more than", "rose by"), a share of its total, a ratio ("times").
The cells are those of rows that the sentence names; where it names fewer than two, also of the first, last, highest and
lowest ones.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from itertools import permutations
from math import fsum

from apps.analyst.approaches.models.figures import Figure, figures, unreadable
from apps.analyst.approaches.models.sayable import Sayable
from apps.analyst.telling import formats
from apps.analyst.types import Result, Scalar

_MARKUP = re.compile(r"!\[|\]\(|<[a-z/!]|https?:|```|\|\s*-{3}", re.IGNORECASE)
_ADDRESS = re.compile(
    r"\bwww\.|\w@\w|\b\d{1,3}(?:\.\d{1,3}){3}\b|\b[\w-]+(?:\.[\w-]+)*\.(?:[^\W\d_]{2,18})(?=/|\b)(?<!\be\.g)(?<!\bi\.e)|"
    r"\b(?:hxxps?|ftp|mailto|tel|javascript|data|file|smb)\W{0,2}:|(?:^|[\s(\"'])(?://|\\\\)\w|"
    r"[\[({] ?(?:\.|dot) ?[\])}]|\w dot (?!plots?\b|charts?\b)\w",
    re.IGNORECASE,
)
"""Where a reader could be led to: no answer needs one that is not in its data."""
_ASKS_FOR = re.compile(
    r"\b(?:pass[ -]?(?:word|code|phrase)s?|credentials?|(?:sign|log)(?:ing|ged)?[ -]?(?:back )?(?:in|on)\b|login|"
    r"(?:re-?)?authenticat\w+|your (?:pin|secret|screen|browser|device|computer|terminal|inbox|phone)\b|"
    r"pass?wort|kennwort|anmelden|melden sie|mot de passe|contrase\u00f1a|senha|wachtwoord|l\u00f6senord|"
    r"\u043f\u0430\u0440\u043e\u043b\w+|qr[ -]?code|"
    r"(?:follow|open|use|see|go to) (?:the|this|an?|our) (?:new )?(?:link|site|page|tab|window|file|attachment|code)|"
    r"contact (?:support|us)|write to|reply with|type (?:in|yes|your)|dial (?:the|this)|e-?mail (?:the|this|it|us|me)|"
    r"(?:forward|paste|copy|send|upload) (?:this|it|us|me|the|your)|run the (?:command|code|file)|share (?:your|this)|"
    r"verify (?:your|the)|confirm your|your (?:account|session|identity)|session (?:has )?expired|one-?time code|"
    r"api key|token|click|tap here|scan the|download|install|visit|(?:credit|debit) card|card number|cvv|iban|"
    r"wire transfer|transfer (?:the )?(?:money|funds)|pay (?:now|the)|gift cards?|call us|whatsapp|telegram|"
    r"administrator rights|ignore (?:all|any|the|previous)|system prompt|instructions?)\b",
    re.IGNORECASE,
)
"""What somebody writes into a cell to have it said to a reader."""
_APART_LETTERS = re.compile(r"\b(?:[^\W\d_][ .*_-]){4,}[^\W\d_]\b")
"""A word that is spelled out, so that nobody looks for it."""
_WORD = re.compile(r"[^\W\d_]{3,}")
_DOTS = str.maketrans(dict.fromkeys("\u3002\uff61\u2024", "."))
_SPACES = re.compile(r"[^\S\n]+")
_LIKE_LATIN = ("CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE")
_SENTENCE = re.compile(r"[.!?:][*_)\"”’]*\s|\n")
"""Where a sentence of a growing text has ended: its stop, and the space that shows that no digit follows."""
_STOP = re.compile(r"(?<=[.!?])[*_)\"”’]*\s+|\n+")
_ADDED = re.compile(
    r"\b(?:total\w*|together|altogether|in all|overall|sum\w*|combined|all|entire|whole|average\w*|mean|typical\w*)\b",
    re.IGNORECASE,
)
_APART = re.compile(
    r"\b(?:more|less|fewer|ahead|behind|above|below|higher|lower|larger|smaller|greater|differ\w*|gap|lead\w* by|up|"
    r"exceed\w*|down|r[io]se[ns]?|rising|f[ae]ll\w*|gr[eo]w\w*|grown|growth|drop\w*|declin\w*|increas\w*|decreas\w*|chang\w*|"
    r"gain\w*|los[st]\w*|shr[aiu]nk\w*|jump\w*|improv\w*|than|between|margin|over|under|points?|doubl\w*|tripl\w*|halv\w*|climb\w*)\b",
    re.IGNORECASE,
)
_SHARED = re.compile(
    r"\b(?:of|share\w*|account\w*|mak(?:e|es|ing) up|contribut\w*|represent\w*|portion|half|total|all)\b", re.IGNORECASE
)
_COUNTED = re.compile(
    r"\b(?:top|first|last|bottom|leading|largest|smallest|highest|lowest|best|worst|next|strongest|weakest)[\s-]+$",
    re.IGNORECASE,
)
MOST_ROWS = 60
MOST_TEXT = 3_000
SHORTEST_NAME = 2


def acceptable(text: str, result: Result, asked: str, *, told: str = "", names: Sequence[str] = ()) -> bool:
    """True where the text may stand: short, without links, addresses, images, HTML or tables, asking nothing of its
    reader, of no words but those that a text about this result may have (sayable), and with no figure of its own.

    Figures of what was `asked`, and of what our own words `told`, may be repeated. `names` are those of the files and
    tables that the result stands on, and what the dictionary calls their columns.
    """
    return _Known(result, asked, told, names).holds(text)


def harmless(text: str) -> bool:
    """True where a text has no markup, leads nowhere, and asks nothing of its reader but to read."""
    seen = as_seen(text)
    if _MARKUP.search(seen) or _ADDRESS.search(seen) or _ASKS_FOR.search(seen):
        return False
    return not (_hidden(text) or _APART_LETTERS.search(seen) or any(map(_is_mixed, _WORD.findall(seen))))


def as_seen(text: str) -> str:
    """A text as its reader sees it: letters in their plain form, dots as dots, any space as one."""
    plain = unicodedata.normalize("NFKC", text.translate(_DOTS))
    return _SPACES.sub(" ", "".join(sign for sign in plain if unicodedata.category(sign) != "Cf"))


def _hidden(text: str) -> frozenset[str]:
    """Signs that nobody sees, and that part what somebody looks for."""
    return frozenset(sign for sign in text if unicodedata.category(sign) == "Cf")


def _is_mixed(word: str) -> bool:
    """Whether a word has letters of two alphabets that look alike, as no word of any language."""
    names = [unicodedata.name(letter, "") for letter in word]
    latin = any(name.startswith("LATIN") for name in names)
    return latin and any(name.startswith(_LIKE_LATIN) for name in names)


class _Known:
    """What a text about a result may say."""

    def __init__(self, result: Result, question: str, told: str = "", names: Sequence[str] = ()) -> None:
        asked = f"{question}\n{told}"
        self._rows = result.rows[:MOST_ROWS]
        self._count = result.total_rows
        self._whole = self._count == len(self._rows)
        heads = " ".join(column.name for column in result.columns)
        self._said = [figure.value for figure in figures(f"{asked} {heads}")]
        texts = [str(cell) for row in result.rows for cell in row if isinstance(cell, str)]
        self._own = as_seen(f"{asked} {heads}").casefold()
        self._told = as_seen(f"{self._own} {' '.join(texts)}").casefold()
        self._signs = unreadable(f"{asked} {heads} {self._rows}")
        self._hidden = _hidden(f"{asked} {heads} {' '.join(texts)}")
        cells = [[_numbers(row[i]) for row in self._rows] for i in range(len(result.columns))]
        self._cells = [number for column in cells for cell in column for number in cell]
        self._columns = [[_number(row[i]) for row in self._rows] for i in range(len(result.columns))]
        dimensions = [i for i, column in enumerate(result.columns) if column.kind == "dimension"]
        self._names = [
            [as_seen(formats.cell(row[i], result.columns[i])).casefold() for i in dimensions if row[i] is not None]
            for row in self._rows
        ]

        columns = [column.name for column in result.columns]
        self._sayable = Sayable(
            [[as_seen(cell) if isinstance(cell, str) else None for cell in row] for row in self._rows],
            as_seen(question),
            [as_seen(name) for name in (*columns, *names)],
            as_seen(told),
        )

    def ends_within_a_name(self, text: str) -> bool:
        """Whether a growing text stops inside a value of the result."""
        return self._sayable.ends_within_a_name(as_seen(text))

    def holds(self, text: str) -> bool:
        """Whether the text may stand."""
        if _hidden(text) - self._hidden or unreadable(text) - self._signs:
            return False
        text = as_seen(text)
        if not text.strip() or len(text) > MOST_TEXT or _MARKUP.search(text):
            return False
        if self._leads_away(text) or _APART_LETTERS.search(text):
            return False
        said_all = _STOP.split(text)
        if not all(self._follows(figure, said) for said in said_all for figure in figures(said)):
            return False
        return self._sayable.allows(text)

    def _leads_away(self, text: str) -> bool:
        """An address that is not in the question or the result, or a request to a reader; that it stands in a cell is
        no reason to make it."""
        return any(
            found.group().casefold() not in known
            for pattern, known in ((_ADDRESS, self._told), (_ASKS_FOR, self._own))
            for found in pattern.finditer(text)
        ) or any(_is_mixed(word) and word.casefold() not in self._told for word in _WORD.findall(text))

    def _follows(self, figure: Figure, said: str) -> bool:
        if figure.value in self._said or _meets(figure, self._cells):
            return True
        if figure.kind == "number":
            counted = figure.value <= self._count and _COUNTED.search(said[: figure.start])
            return figure.value == self._count or bool(counted) or _meets(figure, self._made_of(said))
        return _meets(figure, self._ratios(said) if figure.kind == "times" else self._parts(said))

    def _made_of(self, said: str) -> Iterator[float]:
        """Totals and means, and differences, as far as the sentence speaks of any."""
        for column in self._columns:
            plain = [cell for cell in column if cell is not None]
            if self._whole and plain and _ADDED.search(said):
                yield from (fsum(plain), fsum(plain) / len(plain))
            if _APART.search(said):
                yield from (a - b for a, b in self._pairs(column, said))

    def _parts(self, said: str) -> Iterator[float]:
        """Shares, changes and ratios in per cent, as far as the sentence speaks of any."""
        for column in self._columns:
            plain = [cell for cell in column if cell is not None]
            yield from (100 * cell for cell in plain if abs(cell) <= 1)
            total = fsum(plain) if self._whole else 0.0
            if total and _SHARED.search(said):
                yield from (100 * cell / total for cell in plain)
                yield from (100 * (a + b) / total for a, b in self._pairs(column, said))
            if _APART.search(said):
                yield from (a - b for a, b in self._pairs(column, said))
                yield from (100 * (a - b) / abs(b) for a, b in self._pairs(column, said) if b)

    def _ratios(self, said: str) -> Iterator[float]:
        return (a / b for column in self._columns for a, b in self._pairs(column, said) if b)

    def _pairs(self, column: Sequence[float | None], said: str) -> Iterator[tuple[float, float]]:
        """Two cells of a column, of rows that the sentence names, or that stand out where it names no two."""
        held = [(i, cell) for i, cell in enumerate(column) if cell is not None]
        if len(held) > 3:
            folded = said.casefold()
            by_size = sorted(held, key=lambda pair: pair[1])
            out = {place for place, _ in (held[0], held[-1], by_size[0], by_size[-1])}
            named = {
                place
                for place, names in enumerate(self._names)
                if any(len(name) >= SHORTEST_NAME and name in folded for name in names)
            }
            kept = named if len(named) > 1 else named | out
            held = [(place, cell) for place, cell in held if place in kept]
        return permutations([cell for _, cell in held], 2)


@dataclass
class Telling:
    """A model's text while it comes, shown a sentence at a time.

    A sentence is shown once all text up to its end is acceptable, so a figure that is not in the result is never seen:
    numbers are never written by a model, not even for a moment. What was shown is withdrawn (by showing "") where a
    later sentence fails or the stream breaks, and the template speaks instead.
    """

    result: Result
    asked: str
    show: Callable[[str], None]
    told: str = ""
    names: Sequence[str] = ()
    heard: str = ""
    shown: str = ""
    failed: bool = False
    _known: _Known = field(init=False)

    def __post_init__(self) -> None:
        self._known = _Known(self.result, self.asked, self.told, self.names)

    def hear(self, piece: str) -> None:
        """Takes the next piece; shows the sentences that are whole by now."""
        self.heard += piece
        ends = [found.end() for found in _SENTENCE.finditer(self.heard)]
        while ends and self._known.ends_within_a_name(self.heard[: ends[-1]]):
            ends.pop()
        whole = self.heard[: ends[-1]].strip() if ends else ""
        if self.failed or len(whole) <= len(self.shown):
            return
        if not self._known.holds(whole):
            self.withdraw()
            return
        self.shown = whole
        self.show(whole)

    def close(self, text: str) -> bool:
        """Whether the whole text may stand; where not, what was shown is withdrawn."""
        if not self.failed and self._known.holds(text):
            return True
        self.withdraw()
        return False

    def withdraw(self) -> None:
        """Takes back what was shown; nothing more is."""
        self.failed = True
        if self.shown:
            self.shown = ""
            self.show("")


def _meets(figure: Figure, known: Iterable[float]) -> bool:
    """A figure may leave out its sign ("fell by 5 %")."""
    return any(abs(abs(figure.value) - abs(one)) <= figure.half * (1 + 1e-9) for one in known)


def _numbers(cell: Scalar) -> list[float]:
    """The figures of a cell: its number, the parts of its date, or the figures in its text."""
    if isinstance(cell, date):
        return [float(cell.year), float(cell.month), float(cell.day), float((cell.month - 1) // 3 + 1)]
    number = _number(cell)
    return [number] if number is not None else [figure.value for figure in figures(str(cell or ""))]


def _number(cell: Scalar) -> float | None:
    return float(cell) if isinstance(cell, int | float | Decimal) and not isinstance(cell, bool) else None
