"""What people taught about tables: what an entry may say, and which entries hold. `services.teaching` writes them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, get_args

from apps.analyst.dictionary.types import Adds, Kind
from apps.analyst.types import Taught
from apps.core.errors import Invalid
from apps.datasources.limits import MAX_TAUGHT_TEXT, MAX_TAUGHT_VALUE, MAX_TAUGHT_WORDS
from apps.datasources.models import Teaching
from apps.datasources.naming import name_key
from apps.preferences.values import plain_text

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from apps.accounts.models import Organization

Said = dict[str, Any]
"""An entry as it is stored: the fields of `Taught` that people filled in, JSON-ready."""


def teachings_of(organization: Organization) -> QuerySet[Teaching]:
    """The changes that hold."""
    return Teaching.objects.of(organization).filter(current=True).select_related("by").order_by("name_key", "column")


def taught_by_table(organization: Organization) -> Mapping[str, tuple[Taught, ...]]:
    """The entries that hold, by the key of their table's name."""
    found: defaultdict[str, list[Taught]] = defaultdict(list)
    for key, column, said in teachings_of(organization).values_list("name_key", "column", "after"):
        if said:
            found[key].append(as_taught(column, said))
    return {key: tuple(entries) for key, entries in found.items()}


def said_of(organization: Organization, table_name: str, column: str) -> Said:
    """The entry of a column that holds; empty where nobody said anything."""
    held = teachings_of(organization).filter(name_key=name_key(table_name), column=column).first()
    return dict(held.after) if held is not None else {}


def as_taught(column: str, said: Said) -> Taught:
    """An entry as the engine takes it; a field that is not known any more is passed over."""
    fields: dict[str, Any] = {name: said[name] for name in said if name in (*_OF_COLUMN, *_OF_TABLE)}
    if "synonyms" in fields:
        fields["synonyms"] = tuple(fields["synonyms"])
    if "before" in fields:
        fields["before"] = tuple(fields["before"])
    if "value_synonyms" in fields:
        fields["value_synonyms"] = {value: tuple(words) for value, words in fields["value_synonyms"].items()}
    return Taught(column=column, **fields)


def parse_said(sent: object, *, about: Literal["table", "column"]) -> Said:
    """What a client says about a table or a column; a field that is null is left as it is found. Raises Invalid."""
    fields = _OF_COLUMN if about == "column" else _OF_TABLE
    said = _object(sent, "said")
    for name in said:
        if name not in fields:
            raise Invalid(f"{name[:100]} can not be said of a {about}.", code="unknown_field")
    return {name: fields[name](value, name) for name, value in said.items() if value is not None}


def _object(value: object, name: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise Invalid(f"{name} must be a JSON object.", code="not_an_object")
    return value


def _text(value: object, name: str) -> str:
    return " ".join(plain_text(value, name, MAX_TAUGHT_TEXT).split())


def _filled(value: object, name: str) -> str:
    text = _text(value, name)
    if not text:
        raise Invalid(f"{name} must not be empty.", code="empty")
    return text


def _concept(value: object, name: str) -> str:
    # Imported here: what is known takes a moment to load, and most requests need none of it.
    from apps.analyst.knowledge.loader import knowledge

    concept = _text(value, name)
    if concept and concept not in knowledge().concepts:
        raise Invalid(f"{concept} is no concept.", code="unknown_concept")
    return concept


def _one_of(value: object, choices: tuple[str, ...], name: str) -> str:
    if not isinstance(value, str) or value not in choices:
        raise Invalid(f"{name} must be one of: {', '.join(choices)}.", code="not_a_choice")
    return value


def _words(value: object, name: str) -> list[str]:
    if not isinstance(value, list) or len(value) > MAX_TAUGHT_WORDS:
        raise Invalid(f"{name} must be a list of at most {MAX_TAUGHT_WORDS} words.", code="not_words")
    return list(dict.fromkeys(_filled(word, name) for word in value))


def _names(value: object, name: str) -> list[str]:
    if not isinstance(value, list) or len(value) > MAX_TAUGHT_WORDS:
        raise Invalid(f"{name} must be a list of at most {MAX_TAUGHT_WORDS} tables.", code="not_tables")
    return list(dict.fromkeys(plain_text(table, name, MAX_TAUGHT_VALUE) for table in value))


def _by_value(value: object, name: str, parsed: Callable[[object, str], Any]) -> dict[str, Any]:
    entries = _object(value, name)
    if len(entries) > MAX_TAUGHT_WORDS:
        raise Invalid(f"{name} may hold at most {MAX_TAUGHT_WORDS} values.", code="too_many")
    return {plain_text(stored, name, MAX_TAUGHT_VALUE): parsed(meant, name) for stored, meant in entries.items()}


_OF_COLUMN: Mapping[str, Callable[[object, str], Any]] = {
    "label": _filled,
    "concept": _concept,
    "kind": lambda value, name: _one_of(value, get_args(Kind), name),
    "adds": lambda value, name: _one_of(value, get_args(Adds), name),
    "unit": _text,
    "values": lambda value, name: _by_value(value, name, _text),
    "synonyms": _words,
    "value_synonyms": lambda value, name: _by_value(value, name, _words),
}
_OF_TABLE: Mapping[str, Callable[[object, str], Any]] = {
    "row": _filled,
    "rows": _filled,
    "date_column": _filled,
    "before": _names,
}
"""What can be said of a column and of a table (the fields of `Taught`), and how each is read."""
