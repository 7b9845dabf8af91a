"""How strongly the names of two columns say that one refers to the other."""

from __future__ import annotations

from functools import lru_cache

from apps.analyst.tables.names import words_of

_ID_WORDS = frozenset(
    {
        "id",
        "ids",
        "key",
        "code",
        "no",
        "nr",
        "num",
        "number",
        "uuid",
        "guid",
        "pk",
        "fk",
        "ref",
        "name",
        "index",
        "idx",
        "uid",
    }
)
_COUNT_WORDS = frozenset(
    {"number", "num", "no", "nr", "count", "cnt", "total", "n", "amount", "sum", "avg", "average", "max", "min"}
)
_TABLE_NOISE = frozenset(
    {
        "csv",
        "table",
        "data",
        "export",
        "info",
        "list",
        "master",
        "dim",
        "fact",
        "tbl",
        "the",
        "of",
        "in",
        "and",
        "details",
        "detail",
    }
)
_CONTACT_WORDS = frozenset(
    {
        "phone",
        "phones",
        "fax",
        "tel",
        "telephone",
        "mobile",
        "zip",
        "zipcode",
        "postal",
        "postcode",
        "postalcode",
        "extension",
        "url",
        "website",
    }
)


_KINDS_AND_PLACES = frozenset(
    {
        "country", "city", "town", "state", "region", "county", "province", "district", "continent", "territory",
        "location", "place", "market", "language", "currency", "category", "type", "kind", "class", "group", "status",
        "stage", "segment", "industry", "sector", "source", "channel", "reason", "priority", "color", "colour", "size",
        "gender", "title", "month", "day", "quarter", "season", "year", "comment", "note", "notes", "description",
    }
)  # fmt: skip


def singular(word: str) -> str:
    """A rough singular, the same for both sides: categories, category; boxes, box; orders, order."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


@lru_cache(maxsize=8192)
def entity_of(column: str) -> tuple[str, ...]:
    """The thing a key column names, without the words for "key": "customer_id" is (customer), "id" is ()."""
    words: list[str] = []
    for word in words_of(column):
        if word in _ID_WORDS or word.isdigit():
            continue
        stem = word[:-2] if word.endswith("id") and len(word) > 4 else word
        words.append(singular(stem))
    return tuple(words)


@lru_cache(maxsize=2048)
def table_words(table: str) -> tuple[str, ...]:
    """The things a table's name speaks of."""
    words = [singular(word) for word in words_of(table) if not word.isdigit()]
    return tuple(word for word in words if word not in _TABLE_NOISE) or tuple(words)


def named_thing(column: str, table: str) -> tuple[str, ...]:
    """The thing a key column names: its own table's where its name says only "key"."""
    return entity_of(column) or table_words(table)


@lru_cache(maxsize=65536)
def is_generic(column: str) -> bool:
    """Whether a name says only "key" ("id", "Code"), so that it means its own table."""
    return not entity_of(column)


def names_own_table(column: str, table: str) -> bool:
    """Whether a key column names its own table: "order_id" in "orders", "ContId" in "continents", or just "id"."""
    entity, own = entity_of(column), table_words(table)
    if not entity or set(entity) <= set(own):
        return True
    return len(entity) == 1 and any(_abbreviates(entity[0], word) for word in own)


def speaks_of_own_table(column: str, table: str) -> bool:
    """Whether a key column's name shares a word with its own table's."""
    return bool(set(entity_of(column)) & set(table_words(table)))


def tables_share_a_word(left: str, right: str) -> bool:
    """Whether two tables are named after the same thing ("cars_data", "car_names")."""
    return bool(set(table_words(left)) & set(table_words(right)))


@lru_cache(maxsize=65536)
def is_contact(column: str) -> bool:
    """Whether a column holds addresses or numbers to reach somebody by: equal ones do not make rows belong together."""
    words = words_of(column)
    if any(word in _CONTACT_WORDS for word in words):
        return True
    return any(word.endswith(("address", "phone", "street")) for word in words) and not any(
        word in _ID_WORDS for word in words
    )


def is_kind_or_place(column: str) -> bool:
    """Whether a column says of what kind things are, or where: equal ones do not make rows belong together."""
    return bool(set(words_of(column)) & _KINDS_AND_PLACES)


@lru_cache(maxsize=65536)
def is_count(column: str) -> bool:
    """Whether a column counts things ("number_of_orders"): such figures refer to nothing."""
    words = words_of(column)
    return len(words) > 1 and words[0] in _COUNT_WORDS and words[-1] not in _ID_WORDS


def agreement(left: str, left_table: str, right: str, right_table: str) -> float:
    """From 0 (unrelated names) to 1 (the left column surely names what the right one identifies).

    What a name of several words means stands last: a "supplier_company_id" is a company, a "part_fault_id" no part.
    """
    if is_generic(left) and is_generic(right):
        return 1.0 if table_words(left_table) == table_words(right_table) else 0.2
    if plain(left) == plain(right):
        return 1.0
    entity, target = named_thing(left, left_table), named_thing(right, right_table)
    about = table_words(right_table)
    if not entity or not target:
        return 0.0
    if entity == target:
        return 1.0
    if entity[-1] == target[-1] and (set(entity) >= set(target) or set(entity) <= set(target)):
        return 0.8
    if entity[-1] == target[-1]:
        return 0.7 if is_generic(left) or is_generic(right) else 0.3
    if about and entity[-1] == about[-1]:
        return 0.7
    if any(_abbreviates(a, b) or _abbreviates(b, a) for a in entity for b in (*target, *about)):
        return 0.6
    if any(_same_stem(entity[0], word) for word in (target[-1], *about[-1:])):
        return 0.5
    return 0.0


@lru_cache(maxsize=65536)
def _same_stem(a: str, b: str) -> bool:
    """Whether one word begins the other, longer one ("ship", "shipper")."""
    return a != b and min(len(a), len(b)) >= 4 and (a.startswith(b) or b.startswith(a))


@lru_cache(maxsize=65536)
def plain(name: str) -> str:
    """A name's letters and digits, without case and marks."""
    return "".join(ch for ch in name.casefold() if ch.isalnum())


@lru_cache(maxsize=65536)
def _abbreviates(short: str, long: str) -> bool:
    """Whether `short` is made of letters of `long` in their order, beginning with its first ("cst", "customer")."""
    if not 3 <= len(short) < len(long) or short[0] != long[0] or not short.isalpha():
        return False
    rest = iter(long)
    return all(letter in rest for letter in short)


def forget() -> None:
    """Lets go of all names that were looked at. A name that is kept also keeps the memory around it, in which its table
    was read, after that is gone (measured: 30 MiB of 76 with sixty tables of 200 columns)."""
    for cached in (entity_of, table_words, is_generic, is_contact, is_count, _same_stem, plain, _abbreviates, words_of):
        cached.cache_clear()
