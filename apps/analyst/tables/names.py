"""What a column's name says about its content, by the words it is made of."""

from __future__ import annotations

import re
from functools import lru_cache

from apps.analyst.knowledge.loader import knowledge

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z](?!s(?![a-z]))[a-z])")
"""Where a word begins inside another; not inside the plural of initials ("IDs")."""
_MONEY_PER = re.compile(r"^\s*(?:[$€£¥]|USD|EUR|GBP|CHF)\s*/\s*(?=[^\W\d])", re.IGNORECASE)
_SPLIT = re.compile(r"[^0-9a-zA-Z%#À-ɏ]+")

DATE_WORDS = frozenset(
    {
        "date",
        "dates",
        "dt",
        "day",
        "time",
        "timestamp",
        "datetime",
        "ts",
        "created",
        "updated",
        "modified",
        "closed",
        "opened",
        "birthday",
        "birthdate",
        "bdate",
        "dob",
        "born",
        "datum",
        "fecha",
        "deadline",
        "due",
        "published",
        "released",
        "at",
    }
)
CODE_WORDS = frozenset(
    {
        "id",
        "ids",
        "key",
        "code",
        "codes",
        "no",
        "nr",
        "num",
        "number",
        "uuid",
        "guid",
        "sku",
        "isbn",
        "ean",
        "upc",
        "zip",
        "zipcode",
        "postcode",
        "postal",
        "postalcode",
        "phone",
        "tel",
        "telephone",
        "fax",
        "mobile",
        "ssn",
        "iban",
        "account",
        "ref",
        "reference",
        "barcode",
        "fips",
        "vin",
        "imei",
        "serial",
        "pk",
        "fk",
        "index",
        "idx",
    }
)
_ENDS_IN_ID = frozenset(
    {
        "valid",
        "invalid",
        "covid",
        "hybrid",
        "android",
        "solid",
        "rapid",
        "avoid",
        "madrid",
        "unpaid",
        "prepaid",
        "repaid",
        "centroid",
        "steroid",
        "asteroid",
        "humid",
        "fluid",
        "liquid",
        "squid",
        "stupid",
        "acid",
        "david",
        "mermaid",
        "afraid",
        "thyroid",
        "placid",
        "splendid",
    }
)


@lru_cache(maxsize=8192)
def words_of(name: str) -> tuple[str, ...]:
    """The lower-case words of a name: "sls_orderDate" is sls, order, date; "$/seat" is the price of one."""
    spaced = _CAMEL.sub(" ", priced(name))
    return tuple(word.casefold() for word in _SPLIT.split(spaced) if word)


def priced(name: str) -> str:
    """A name that begins with money per something ("$/seat", "EUR / hour") in words."""
    return _MONEY_PER.sub("price per ", name)


def says_date(name: str) -> bool:
    """Whether the name speaks of a date or a moment."""
    return any(word in DATE_WORDS or word.endswith("date") for word in words_of(name))


def fused_id(word: str) -> bool:
    """Whether a word is an id written together with what it identifies ("orderid", "stuid", "custno"), not one like
    "paid" or "casino"."""
    if len(word) <= 4 or not word.isalpha():
        return False
    if word.endswith("id"):
        return word not in _ENDS_IN_ID
    thing = word.removesuffix("no")
    return thing != word and (thing in knowledge().vocabulary or thing in knowledge().abbreviations)


def says_code(name: str) -> bool:
    """Whether the name speaks of an id or a code."""
    return any(word in CODE_WORDS or fused_id(word) for word in words_of(name))
