"""Which country a text means: by its name, its official name or its code, as ISO 3166 lists them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

_ALSO = {"uk": "GB", "great britain": "GB", "u.s.": "US", "u.s.a.": "US", "uae": "AE", "south korea": "KR"}
"""What people write and the list does not hold."""
_SHORTEST_NAME = 4
_COUNTRIES = 0.8


@lru_cache(maxsize=4096)
def country_of(text: str) -> str | None:
    """The two-letter code of the country that a text means; None for other texts."""
    said = " ".join(text.casefold().split())
    if said in _ALSO:
        return _ALSO[said]
    if len(said) < 2 or any(letter.isdigit() for letter in said):
        return None
    # Imported here: the list takes a moment to load, and few columns hold countries.
    import pycountry

    try:
        return str(pycountry.countries.lookup(said).alpha_2)
    except LookupError:
        return None


def are_countries(values: Sequence[str]) -> bool:
    """True for values that are countries, some of them by name: codes alone may be states or languages."""
    said = [value.strip() for value in values if value.strip()]
    known = [value for value in said if country_of(value) is not None]
    named = [value for value in known if len(value) >= _SHORTEST_NAME]
    return len(named) >= 2 and len(known) >= _COUNTRIES * len(said)
