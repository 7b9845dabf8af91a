"""From a question's text to tokens: words, numbers and quoted literals with their place in the text."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from functools import lru_cache

from apps.analyst.language.morphology import fold, keys, words

MAX_CHARACTERS = 4000
"""Longer questions are cut: nobody asks one, and reading time stays bounded."""

_TOKEN = re.compile(
    r"""
    (?P<date>\d{4}-\d{1,2}-\d{1,2}|\d{1,2}/\d{1,2}/\d{2,4}|\d{4}[-/]\d{2}(?!\d))
  | (?P<clock>\d{1,3}(?::[0-5]\d){1,2}(?:\.\d+)?(?![\d:]))
  | (?P<ordinal>\d+(?:st|nd|rd|th)\b)
  | (?P<number>(?:[$\u20ac\u00a3\u00a5]\s?)?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+|(?<=\d))
      (?:\s?%|(?:k|K|m|M|mn|bn|B)\b|\s(?:hundred|thousand|million|billion)\b)?)
  | (?P<word>[^\W\d_]+(?:['\u2019](?!s\b)[^\W\d_]+)*|[^\W_]+)
  | (?P<possessive>['\u2019]s?\b|['\u2019](?=\s))
  | (?P<mark>[^\w\s]|_)
    """,
    re.VERBOSE | re.UNICODE,
)
_QUOTED = re.compile(
    r"\"([^\"]{1,200})\"|\u201c([^\u201d]{1,200})\u201d|``\s*(.{1,200}?)\s*''|(?<![\w])['\u2018]([^'\u2019]{1,200}?)['\u2019](?![\w])"
    r"|(?<!\w)`([^`]{1,200})`"
)
_CAMEL = re.compile(r"(?<=[a-z]{2})(?=[A-Z][a-z])|(?<=[a-z]{2})(?=ID\\b)")
_SCALES = {
    "k": 1e3,
    "m": 1e6,
    "mn": 1e6,
    "bn": 1e9,
    "b": 1e9,
    "hundred": 1e2,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
}
_WORD_NUMBERS = words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion"
)
_ORDINALS = {
    word: place
    for place, word in enumerate(
        [
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
        ],
        start=1,
    )
}
_SPECIAL = {"dozen": 12.0, "half": 0.5}
_LENGTHS = words("second minute hour day")
_BEFORE_A_LENGTH = words("than least most over under exceeding")


@dataclass(frozen=True, slots=True)
class Token:
    """One word, number, mark or quoted literal. `norm` is folded; `keys` are the word's forms (see morphology)."""

    text: str
    norm: str
    keys: frozenset[str]
    start: int
    end: int
    number: float | None = None
    ordinal: int | None = None
    quoted: bool = False
    is_date: bool = False
    percent: bool = False
    clock: bool = False
    """True for "4:32" and "1:02:15"; the number is its seconds."""
    words: int = 1
    """How many written words it stands for (a number in words, a quoted literal)."""

    @property
    def is_word(self) -> bool:
        """True for anything but punctuation."""
        return self.quoted or self.norm[:1].isalnum()

    @property
    def capital(self) -> bool:
        """True where it is written with a capital letter."""
        return self.text[:1].isupper()


@lru_cache(maxsize=512)
def tokenize(text: str) -> tuple[Token, ...]:
    """The tokens of a question, in order. Numbers in words ("twenty three") become one token with a number."""
    text = text[:MAX_CHARACTERS]
    tokens: list[Token] = []
    position = 0
    for quoted in _QUOTED.finditer(text):
        literal = next(group for group in quoted.groups() if group is not None).strip()
        if not literal or quoted.start() < position:
            continue
        tokens.extend(_plain(text, position, quoted.start()))
        tokens.append(
            Token(
                literal,
                fold(literal),
                keys(fold(literal)),
                quoted.start(),
                quoted.end(),
                _plain_number(literal),
                quoted=True,
                words=len(literal.split()),
            )
        )
        position = quoted.end()
    tokens.extend(_plain(text, position, len(text)))
    return tuple(_spoken_lengths(_join_spelled_numbers(tokens)))


def _spoken_lengths(tokens: list[Token]) -> list[Token]:
    """ "half an hour" and "at least an hour" say a figure of hours: the article is part of it, or is it."""
    found: list[Token] = []
    for index, token in enumerate(tokens):
        unit = tokens[index + 1].norm if index + 1 < len(tokens) else ""
        if token.norm in ("a", "an") and unit in _LENGTHS and found:
            last = found[-1]
            if last.norm == "half":
                found[-1] = replace(last, text=f"{last.text} {token.text}", end=token.end, words=2)
                continue
            token = replace(token, number=1.0) if last.norm in _BEFORE_A_LENGTH else token
        found.append(token)
    return found


def _plain(text: str, start: int, end: int) -> list[Token]:
    found = []
    for match in _TOKEN.finditer(text, start, end):
        raw = match.group().strip()
        if not raw:
            continue
        kind = match.lastgroup
        if kind == "word" and (cut := _CAMEL.search(raw)) is not None:
            found.extend(_camel(raw, match.start(), cut.start()))
            continue
        norm = fold(raw) or "?"  # a mark of which folding leaves nothing (a lone accent) still stands for itself
        number, ordinal, percent = None, None, False
        if kind == "number":
            number, percent = _read_number(raw)
            if number is None:
                kind = "mark"
        elif kind == "clock":
            number = sum(float(part) * 60**place for place, part in enumerate(reversed(raw.split(":"))))
        elif kind == "ordinal":
            ordinal = int(re.sub(r"\D", "", raw)[:9])
        elif kind == "possessive":
            norm = "'s"
        elif norm in _ORDINALS:
            ordinal = _ORDINALS[norm]
        elif norm in _SPECIAL:
            number = _SPECIAL[norm]
        word_keys = keys(norm) if kind == "word" else frozenset((norm,))
        found.append(
            Token(
                raw,
                norm,
                word_keys,
                match.start(),
                match.end(),
                number,
                ordinal,
                is_date=kind == "date",
                percent=percent,
                clock=kind == "clock",
            )
        )
    return found


def _camel(raw: str, start: int, cut: int) -> list[Token]:
    """A name written in one word ("CompanyName") as its words."""
    parts: list[Token] = []
    for text, offset in ((raw[:cut], 0), (raw[cut:], cut)):
        inner = _CAMEL.search(text)
        if inner is not None:
            parts.extend(_camel(text, start + offset, inner.start()))
        else:
            parts.append(Token(text, fold(text), keys(fold(text)), start + offset, start + offset + len(text)))
    return parts


def _read_number(raw: str) -> tuple[float | None, bool]:
    text = raw.strip("$\u20ac\u00a3\u00a5 ").replace(",", "")
    percent = text.endswith("%")
    match = re.fullmatch(r"([\d.]+)\s*([a-zA-Z]*)", text.rstrip("% "))
    if not match:
        return None, False
    try:
        value = float(match.group(1)) * _SCALES.get(match.group(2).lower(), 1.0)
    except ValueError:
        return None, False
    return (value if math.isfinite(value) else None), percent


def _plain_number(text: str) -> float | None:
    return float(text) if re.fullmatch(r"-?\d{1,15}(\.\d{1,9})?", text) else None


def _join_spelled_numbers(tokens: list[Token]) -> list[Token]:
    """Runs of number words become one token; "and" inside a run ("two hundred and five") belongs to it."""
    joined: list[Token] = []
    index = 0
    while index < len(tokens):
        end = index
        while end < len(tokens) and tokens[end].norm in _WORD_NUMBERS and not tokens[end].quoted:
            end += 1
        if end == index:
            joined.append(tokens[index])
            index += 1
            continue
        joined.extend(_spelled(tokens[index:end]))
        index = end
    return joined


def _spelled(run: list[Token]) -> list[Token]:
    from text_to_num import text2num

    words = " ".join(token.norm for token in run)
    try:
        value = float(text2num(words, "en"))
    except ValueError:
        values = []
        for token in run:
            try:
                values.append(float(text2num(token.norm, "en")))
            except ValueError:
                return run
        return [Token(t.text, t.norm, t.keys, t.start, t.end, value) for t, value in zip(run, values, strict=True)]
    first, last = run[0], run[-1]
    text = " ".join(token.text for token in run)
    return [
        Token(
            text,
            words,
            first.keys if len(run) == 1 else frozenset((words,)),
            first.start,
            last.end,
            value,
            words=len(run),
        )
    ]
