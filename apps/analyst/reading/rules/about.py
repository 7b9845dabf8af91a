"""Questions about the data itself: what there is, what a table holds, which values a column has.

They are recognised by their whole sentence, with the name of a table or column in it; everything else is left to the
readers of `language`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from apps.analyst.language.reading import Reading
from apps.analyst.plan import Describe
from apps.analyst.ports import Catalog
from apps.analyst.telling.formats import singular, spoken
from apps.analyst.types import Table

SURE = 0.97
_THING = r"(?:tables?|files?|sheets?|data ?sets?|data|sources?|columns?|fields?)"
_DISTINCT = r"(?:distinct |different |possible |unique )?"
_ANYTHING = re.compile(
    rf"what (?:can|could|should) (?:i|we) ask(?: you)?(?: about)?|what can you (?:do|answer|tell me)|help|"
    rf"(?:what|which) {_THING} (?:do (?:you|we|i) have|are there|is there|can you (?:see|use))|"
    rf"(?:describe|explain|summari[sz]e|show)(?: me)? (?:all |the |my |our )*(?:{_THING})|"
    rf"what(?: is|'s| do you know) (?:in|about) (?:the |my |our |this )?(?:{_THING})|"
    rf"give me an overview(?: of (?:the |my |our )?data)?"
)
_NAMED = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:describe|explain|summari[sz]e|outline)(?: to me| me)? (?P<name>.+)",
        r"what(?: is|'s| are) in (?P<name>.+)",
        r"what(?: does| do) (?P<name>.+) (?:contain|hold|look like)",
        r"(?:what|which) (?:columns|fields)(?: does| do| are in| are there in| has) (?P<name>.+?)(?: have| hold)?",
        r"(?:list |show )?(?:me )?(?:the |all )?(?:columns|fields) (?:of|in) (?P<name>.+)",
        r"(?:tell me|what do you know) about (?P<name>.+)",
        r"(?:give me )?an? (?:overview|summary|description) of (?P<name>.+)",
        rf"(?:what|which)(?: are the| are all the| are)? {_DISTINCT}values (?:of|in|for|does|are in) (?P<name>.+?)"
        rf"(?: have| take)?",
        rf"(?:list |show )?(?:me )?(?:the |all )?{_DISTINCT}values (?:of|in) (?P<name>.+)",
    )
)


def about(text: str, catalog: Catalog) -> Reading | None:
    """The reading of a question about the data itself, else None."""
    asked = re.sub(r"\s+", " ", text.strip().lower().rstrip("?.! ")).removeprefix("please ").strip()
    if _ANYTHING.fullmatch(asked):
        return _reading(text, _everything(catalog))
    for pattern in _NAMED:
        found = pattern.fullmatch(asked)
        for name in _cut(found["name"]) if found is not None else ():
            plan = _named(name, catalog)
            if plan is not None:
                return _reading(text, plan)
    return None


def _cut(name: str) -> list[str]:
    """What may be the name in "the deals table": as it stands, without the article, without the word for its kind."""
    bare = re.sub(r"^(?:the|my|our|this) ", "", name)
    shorter = [re.sub(rf"^{_THING} ", "", bare), re.sub(rf" {_THING}$", "", bare)]
    return list(dict.fromkeys([name, bare, *shorter]))


def _reading(text: str, plan: Describe) -> Reading:
    names = " of ".join(part for part in (plan.column, plan.table) if part) or "your data"
    return Reading(plan, SURE, understood=(f"what is in {names}",), reader="about", wording=text.strip())


def _everything(catalog: Catalog) -> Describe:
    tables = catalog.tables()
    return Describe(table=tables[0].name) if len(tables) == 1 else Describe()


def _named(name: str, catalog: Catalog) -> Describe | None:
    """The table of that name, else the column that only one table has, or one table's column ("stage in deals")."""
    tables = list(catalog.tables())
    table = _table(name, tables)
    if table is not None:
        return Describe(table=table.name)
    inside = re.fullmatch(r"(.+?) (?:of|in|from) (?:the )?(.+)", name)
    owner = _table(inside[2], tables) if inside is not None else None
    wanted = inside[1] if inside is not None and owner is not None else name
    holders = [
        (each, column)
        for each in ([owner] if owner is not None else tables)
        for column in each.columns
        if wanted in _ways([column.name], each)
    ]
    return Describe(table=holders[0][0].name, column=holders[0][1].name) if len(holders) == 1 else None


def _table(name: str, tables: Iterable[Table]) -> Table | None:
    found = [
        table for table in tables if name in _ways([table.name, table.file_name, table.name.split(" - ")[-1]], None)
    ]
    return found[0] if len(found) == 1 else None


def _ways(names: Iterable[str], table: Table | None) -> set[str]:
    """How people may call a table or column: as written, in words, without the CRM's mark, in the singular."""
    said: set[str] = set()
    for name in names:
        plain = re.sub(r"^(?:hubspot|googlesheets)_|\.(?:csv|xlsx)$", "", name.lower())
        words = spoken(re.sub(r"^(?:hubspot|googlesheets)_|\.(?:csv|xlsx)$", "", name)).lower()
        said |= {name.lower(), plain, words, singular(words)}
        if table is not None:
            said.add(words.removeprefix(f"{singular(spoken(table.name).lower())} "))
    return said
