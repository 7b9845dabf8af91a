"""Columns that words name, in a table or in one that each of its rows meets once."""

from __future__ import annotations

from apps.analyst.computing.metrics.roles import Crm, Entity, Part
from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.morphology import keys


def resolve(
    words: list[str], entity: Entity, crm: Crm | None, lexicon: Lexicon, *, figures: bool = False
) -> Part | None:
    """The column that words name: of the entity's own table, else of one that each row meets once."""
    said = [keys(word) for word in words]
    best: tuple[float, Part] | None = None
    for named in lexicon.columns:
        column, own = named.column, named.table.name == entity.table.name
        if column.name.startswith("(") or (not own and (crm is None or not reaches(entity, named.table.name, lexicon))):
            continue
        if not figures and (column.role not in ("dimension",) or column.type not in ("text", "boolean")):
            continue
        if not all(any(form & word for form in named.name.forms) for word in said):
            continue
        full = len(words) / max(named.name.key_words, len(words))
        score = full + (0.6 if own else 0.0) + (0.2 if named.table.name.endswith("companies") else 0.0)
        if full >= 0.34 and (best is None or score > best[0]):
            best = (score, Part(named.table.name, column))
    return best[1] if best else None


def reaches(entity: Entity, table: str, lexicon: Lexicon) -> bool:
    return table == entity.table.name or lexicon.schema.path(entity.table.name, table, one=True) is not None
