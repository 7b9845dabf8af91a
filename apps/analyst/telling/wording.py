"""The rules by which sentences about figures are written: number, article, rounding, and marks of Markdown.

Prose says what matters, three significant digits: a word stands for the rest from a million on ("$24.6 billion"), and
fractions are rounded ("46,701", "11.7"). Whole numbers and money below a million stay exact: they are counted or paid.
So does the one figure of an answer that ends with two decimals at most.
Tables and tooltips are exact and do not go through here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from apps.analyst.telling import formats
from apps.analyst.telling.formats import MINUS, capital, is_money, is_number, magnitude
from apps.analyst.types import POINTS, ResultColumn, Scalar

BOLD = "\ue000"
"""Stands at both ends of what is bold until a text is done, so that an asterisk in a value is none of ours."""
_OWN_MARKS = re.compile(r"[*`\[\]<~|]|(?<!\w)_|_(?!\w)")
_HEAD_ENDS = re.compile(r" (?:of|per|by|in|to|from|since|as|for|with|where|at|on|until|before|after|over)\b|[,(:]")
_SINGULAR_ENDS = ("ss", "us", "is", "as")
_SINGULAR = frozenset(("series", "news", "lens", "species", "means", "ms", "gps", "kms"))
_PLURAL = frozenset(("people", "children", "men", "women", "feet", "staff", "data"))
_SAID_OF_MANY = frozenset(("sold", "due", "won", "lost", "paid", "out", "made", "sent", "held", "left"))
_WITH_ARTICLE = re.compile(r"(?:the|a|an|each|every|all|no)\b")
_SUPERLATIVE = re.compile(r"(?:highest|lowest|latest|earliest|first|last|most|fewest|second|third)\b")
_SHORT = {"average": ("avg", "mean")}
"""What says how a figure is made in other words."""
_STRETCH = re.compile(r"(?:(?P<first>.+) )?(?P<one>\d{4}) to (?P<last>.+ )?(?P<other>\d{4})")
_CONSONANT_SOUND, _VOWEL_SOUND = re.compile(r"(?:uni|use|usa|eu|one\b)", re.IGNORECASE), re.compile(r"[aeiou]", re.I)


def is_plural(name: str) -> bool:
    """Whether the name of a figure stands in the plural: "total sales" does, "number of sales" does not."""
    words = re.findall(r"[^\W\d_]+", _HEAD_ENDS.split(name, maxsplit=1)[0])
    if len(words) > 1 and (words[-1] in _SAID_OF_MANY or words[-1].endswith("ed")):
        words.pop()
    word = words[-1].lower() if words else ""
    if word in _PLURAL:
        return word != "data" and word != "staff"
    return len(word) > 2 and word.endswith("s") and not word.endswith(_SINGULAR_ENDS) and word not in _SINGULAR


def be(name: str) -> str:
    """ "is" or "are", by the name of what is spoken of."""
    return "are" if is_plural(name) else "is"


def the(name: str) -> str:
    """A figure as the subject of a sentence: "the total amount", "total sales", "the highest sales"."""
    if _WITH_ARTICLE.match(name):
        return name
    return name if is_plural(name) and not _SUPERLATIVE.match(name) else f"the {name}"


def an(word: str) -> str:
    """A word with its indefinite article: "a month", "an hour"."""
    vowel = word.startswith(("hour", "honest")) or (_VOWEL_SOUND.match(word) and not _CONSONANT_SOUND.match(word))
    return f"{'an' if vowel else 'a'} {word}"


def opening(name: str) -> str:
    """A figure as the subject at the start of a sentence."""
    return capital(the(name))


# ---------------------------------------------------------------- figures
def told(value: Scalar, unit: str | None = None) -> str:
    """A figure in prose: "$24.6 billion", "2,823", "12.4%", "20.9"."""
    if not is_number(value) or value != value or magnitude(value) == float("inf"):
        return formats.figure(value, unit)
    size = magnitude(value)
    sign = MINUS if value < 0 else ""
    if unit in ("%", POINTS):
        text = formats.figure(int(float(size) + 0.5) if size >= 100 else size, unit)
        return sign + re.sub(r"\.0(?=\D)", "", text)
    if unit == "seconds":
        return formats.figure(value, unit)
    scaled = formats.scaled(size)
    if scaled is not None:
        return sign + _with_unit(scaled, unit)
    if is_money(unit) or size == int(size):
        return formats.figure(value, unit)
    return sign + _with_unit(formats.plain_number(formats.significant(size)), unit)


def _with_unit(text: str, unit: str | None) -> str:
    if not unit:
        return text
    if not is_money(unit):
        return f"{text} {unit}"
    symbol = formats.SYMBOLS.get(unit)
    return f"{symbol}{text}" if symbol else f"{unit} {text}"


def signed(value: Scalar, unit: str | None = None) -> str:
    """A change in prose with its sign: "+24.6%", "−$1.2 million"."""
    text = told(value, unit)
    return text if text.startswith(MINUS) or value is None or value == 0 else f"+{text}"


def cell(value: Scalar, column: ResultColumn) -> str:
    """A value of a result in prose."""
    if is_number(value) and column.grain is None and (column.kind == "measure" or column.unit):
        return told(value, column.unit)
    return formats.cell(value, column)


def heading(value: Scalar, column: ResultColumn) -> str:
    """A value as the one figure of an answer: exact below a million where it ends, rounded where it is endless."""
    if not is_number(value) or formats.scaled(magnitude(value)) or not formats.is_short(magnitude(value)):
        return cell(value, column)
    return formats.cell(value, column)


# ---------------------------------------------------------------- periods
def is_stretch(label: str) -> bool:
    """Whether a period is named by its two ends: "1 Jan 2024 to 20 Dec 2024"; not so "2024", "Q1 2025"."""
    return _STRETCH.fullmatch(label) is not None


def shortened(label: str) -> str:
    """A period by its ends with a year that both have said once: "1 Jan to 20 Dec 2024"."""
    found = _STRETCH.fullmatch(label)
    if found is None or not found["first"] or found["one"] != found["other"]:
        return label
    return f"{found['first']} to {found['last']}{found['other']}"


# ---------------------------------------------------------------- Markdown
def bold(text: str) -> str:
    """The text in bold, once the whole is `marked`."""
    return f"{BOLD}{text}{BOLD}"


def marked(text: str) -> str:
    """A text as Markdown: what is bold is marked so, and marks that stand in values are read as they are."""
    return _OWN_MARKS.sub(lambda mark: f"\\{mark[0]}", text).replace(BOLD, "**")


def joined(sentences: Sequence[str]) -> str:
    """Sentences one after the other, empty ones left out."""
    return " ".join(sentence for sentence in sentences if sentence)


def led_by(start: str, name: str) -> str:
    """A figure by how it is made and what of; a name that says so itself has it once: "total fee", "total", "avg.
    cost"."""
    first = name.casefold().split(" ", 1)[0].rstrip(".")
    return name if first in (start.casefold(), *_SHORT.get(start.casefold(), ())) else f"{start} {name}"
