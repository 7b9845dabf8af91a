"""Values that a question names by words which other values of the column have, too: "annual plans" are those of every
plan with that word, and a reading that takes one of them has no ground for it.

Names of people, companies and articles are no kinds of something: two of one name are asked about.
"""

from __future__ import annotations

from collections.abc import Sequence

from apps.analyst.computing.compile.walk import rewrite, with_queries
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.entries import GROUPING
from apps.analyst.knowledge.folding import folded, singular
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.plan import Among, ColumnRef, Compare, Constant, Node, Plan, Query
from apps.analyst.ports import Catalog
from apps.analyst.types import Column

MOST = 12
"""Values that a word means together at most."""


def with_shared_words(plan: Plan, tokens: Sequence[str], catalog: Catalog) -> Plan:
    """The plan with each condition on one value as one on all that the question's words (`tokens`) say as well."""
    said = frozenset({*tokens, *map(singular, tokens)}) - english().stopwords

    def change(part: Node) -> Node | None:
        if not isinstance(part, Compare) or part.op not in ("=", "!=") or not isinstance(part.left, ColumnRef):
            return None
        values = _alike(part, said, catalog)
        chosen = tuple(Constant(value=value) for value in values)
        return Among(of=part.left, values=chosen, negated=part.op == "!=") if len(values) > 1 else None

    def within(query: Query) -> Query:
        if isinstance(query.source, Query):
            query = query.model_copy(update={"source": within(query.source)})
        return rewrite(query, change)

    return with_queries(plan, within)


def _alike(part: Compare, said: frozenset[str], catalog: Catalog) -> list[str]:
    """The values of a condition's column that the words say as well as its own; none where they say one whole."""
    column = _kinds_of(part.left, catalog) if isinstance(part.left, ColumnRef) else None
    value = part.right.value if isinstance(part.right, Constant) else None
    if column is None or not isinstance(value, str):
        return []
    names = {count.value: _words(count.value) for count in column.values}
    own = names.get(value, frozenset()) & said
    alike = [name for name, words in names.items() if own and own <= words]
    apart = any(names[name] <= said or names[name] & said != own for name in alike)
    return alike if not apart and len(alike) <= MOST else []


def _kinds_of(ref: ColumnRef, catalog: Catalog) -> Column | None:
    """The column, where all of its values are known and are kinds of something."""
    meaning = dictionary_of(catalog).get(ref.table)
    means = meaning.column(ref.column) if meaning is not None and ref.column != meaning.name_column else None
    concept = knowledge().concepts.get(means.concept or "") if means is not None else None
    table = next((table for table in catalog.tables() if table.name == ref.table), None)
    column = table.column(ref.column) if table is not None else None
    is_kind = concept is not None and concept.kind in GROUPING
    return column if is_kind and column is not None and column.values_complete else None


def _words(value: str) -> frozenset[str]:
    return frozenset(singular(word) for word in folded(value).split())
