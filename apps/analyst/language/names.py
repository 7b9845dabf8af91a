"""Column and table names as people would say them: split, spelled out, with the parts that need not be said."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache

from apps.analyst.language.morphology import fold, is_word, keys, parts_of_speech, verb_forms, words
from apps.analyst.language.vocabulary import vocabulary
from apps.analyst.tables.names import priced
from apps.analyst.telling.formats import head_of_name
from apps.analyst.types import Table

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[^\W\d_]+|\d+|[#%]")
_BRACKETED = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_GLUE = words("of the a an in per for and to by at on or with from")
_SUFFIXES = (
    "name",
    "id",
    "code",
    "type",
    "date",
    "number",
    "year",
    "title",
    "price",
    "count",
    "status",
    "description",
    "time",
    "score",
    "rate",
    "airport",
    "city",
    "country",
    "age",
    "size",
    "level",
    "phone",
    "address",
    "no",
    "key",
)
_FILE_WORDS = words("csv xlsx export data sheet table tbl dim fact final copy list report db the")
_CONTENTS = words("information info master main")
GENERIC = frozenset(
    form
    for word in (
        "name",
        "id",
        "number",
        "code",
        "type",
        "date",
        "title",
        "description",
        "value",
        "status",
        "year",
        "total",
        "time",
        "detail",
        "count",
        "other",
    )
    for form in keys(word)
)
"""Words that many names hold and that alone say little."""


LONGEST = 200
"""Letters of a name that are looked at: nobody says more of one, and names are as long as a file makes them."""
_LONGEST_WORD = 40
"""A longer word is no two words written together."""
_PREFIXED_COLUMNS, _PREFIXED_SHARE = 3, 0.8
_PREFIXED_TABLES = 3


@dataclass(frozen=True, slots=True)
class Name:
    """A name's words with their forms. `optional` marks words that people leave out (units, the table's own name)."""

    words: tuple[str, ...]
    forms: tuple[frozenset[str], ...]
    optional: tuple[bool, ...]

    @property
    def needed(self) -> tuple[str, ...]:
        """The words that are not optional."""
        return tuple(word for word, skip in zip(self.words, self.optional, strict=True) if not skip)

    @property
    def key_words(self) -> int:
        """How many words must be said for the full name."""
        return max(1, sum(not skip for skip in self.optional))


def split(name: str, known: Iterable[str] = ()) -> list[str]:
    """The folded words of a name: "OrderDate" and "order_date" give order, date; "petid" gives pet, id."""
    vocabulary_words = known if isinstance(known, frozenset) else frozenset(known)
    return list(_split(name[:LONGEST], vocabulary_words))


@lru_cache(maxsize=65536)
def _split(name: str, known: frozenset[str]) -> tuple[str, ...]:
    pieces = _joined(_WORD.findall(_CAMEL.sub(" ", priced(name))))
    return tuple(word for piece in pieces for word in _spell_out(fold(piece), known))


def _joined(pieces: list[str]) -> list[str]:
    """ "LName" is no "L" and "Name" but one known abbreviation."""
    made: list[str] = []
    for piece in pieces:
        whole = made[-1] + piece if made and len(made[-1]) == 1 else ""
        if fold(whole) in vocabulary().abbreviations:
            made[-1] = whole
        else:
            made.append(piece)
    return made


def _spell_out(word: str, known: frozenset[str]) -> list[str]:
    full = vocabulary().abbreviations.get(word)
    if full:
        return list(full)
    if word == "#":
        return ["number"]
    if word == "%":
        return ["percent"]
    if 4 < len(word) <= _LONGEST_WORD and word not in _SUFFIXES and not is_word(word):
        for suffix in _SUFFIXES:
            head = word[: -len(suffix)]
            if word.endswith(suffix) and (len(head) >= 3 or head in known):
                return [*vocabulary().abbreviations.get(head, (head,)), suffix]
        for cut in range(3, len(word) - 2):
            if word[:cut] in known and word[cut:] in known:
                return [word[:cut], word[cut:]]
    return [word]


def common_prefix(table: Table) -> tuple[str, ...]:
    """The word with which nearly all column names of a table begin ("sls_order_dt", "sls_price"): nobody says it."""
    first = Counter(words_[0] for words_ in (split(column.name) for column in table.columns) if len(words_) > 1)
    if not first or len(table.columns) < _PREFIXED_COLUMNS:
        return ()
    word, count = first.most_common(1)[0]
    return (word,) if count >= _PREFIXED_SHARE * len(table.columns) else ()


def column_name(name: str, table_words: Iterable[str], known: Iterable[str]) -> Name:
    """A column's name as said beside its table; what stands in brackets and the table's own words are optional."""
    name = name[:LONGEST]
    said = _BRACKETED.sub(" ", name)
    spelled = split(said, known) or split(name, known)
    words = [word for index, word in enumerate(spelled) if index == 0 or word != spelled[index - 1]]
    extra = [word for part in _BRACKETED.findall(name) for word in split(part, known)] if said.strip() else []
    table_forms = {form for word in table_words for form in keys(word)}
    forms = [keys(word) for word in (*words, *extra)]
    if len(words) > 1 and words[-1] == "by":
        forms[len(words) - 2] |= _doers(words[-2])
    # The last word says what the column holds: in a table of dates "order date" is still no order.
    own = [bool(form & table_forms) and place < len(words) - 1 for place, form in enumerate(forms[: len(words)])]
    optional = [*(own if not all(own) else [False] * len(own)), *([True] * len(extra))]
    optional = [skip or word in _GLUE for skip, word in zip(optional, (*words, *extra), strict=True)]
    if all(optional):
        optional = [False] * len(words) + [True] * len(extra)
    return Name((*words, *extra), tuple(forms), tuple(optional))


def _doers(participle: str) -> frozenset[str]:
    """The forms of who does it: of "directed by" the director's, of "written by" the writer's."""
    said = {
        root + ending
        for verb in verb_forms(participle)
        for root, endings in ((verb, ("r", "er", "or")), (verb[:-1], ("or", "ier")))
        for ending in endings
    }
    return frozenset(form for word in said if "NOUN" in parts_of_speech(word) for form in keys(word))


def table_prefix(names: Iterable[str]) -> str:
    """The word with which most tables' names begin ("crm_deals", "crm_owners"): nobody says it."""
    first = Counter(words_[0] for words_ in map(split, names) if len(words_) > 1)
    word, count = first.most_common(1)[0] if first else ("", 0)
    return word if count >= _PREFIXED_TABLES else ""


def plainer(name: Name, taken: Collection[tuple[str, ...]]) -> Name:
    """A table's name without words for what files hold ("customer info"), where nothing else is called by the rest."""
    optional = tuple(
        skip or (index > 0 and word in _CONTENTS)
        for index, (word, skip) in enumerate(zip(name.words, name.optional, strict=True))
    )
    plain = Name(name.words, name.forms, optional)
    return name if all(optional) or plain.needed in taken else plain


def table_name(name: str, known: Iterable[str], prefix: str = "") -> Name:
    """A table's name as people say it; file words ("export", "data"), the tables' common prefix and what a long name
    goes on with are optional."""
    name = name[:LONGEST]
    head = len(split(head_of_name(name), known))
    words = split(_BRACKETED.sub(" ", name), known) or split(name, known) or [fold(name)]
    optional = [
        word in _FILE_WORDS or word.isdigit() or word in _GLUE or (index == 0 and word == prefix) or index >= head
        for index, word in enumerate(words)
    ]
    if all(optional):
        optional = [False] * len(words)
    return Name(tuple(words), tuple(keys(word) for word in words), tuple(optional))
