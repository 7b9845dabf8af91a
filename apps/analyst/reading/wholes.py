"""Plans over tables whose rows are lines of whole things and tell of these on the first line only (`tables/per_key`).

Where a question names the thing ("orders"), things are counted and not their lines. What is said of the whole, an
order's total, has no part for one line: a plan that splits it by what the lines tell, or keeps only some lines of it,
is no reading, because each total would fall to the first line's product.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.dictionary.rows import plural
from apps.analyst.dictionary.types import TableMeaning
from apps.analyst.dictionary.words import words
from apps.analyst.knowledge.folding import singular
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.plan import ROW_NUMBER, Aggregate, Arithmetic, ColumnRef, Expr, Node, Plan, Query
from apps.analyst.plan.firsts import with_firsts, without_firsts
from apps.analyst.plan.nodes import every, everywhere
from apps.analyst.plan.sentence import expr_words
from apps.analyst.plan.wholes import split_whole
from apps.analyst.ports import Catalog
from apps.analyst.reading.keywords.formula_rows import NUMBERS
from apps.analyst.reading.keywords.formula_trees import Binary, Tree, parsed
from apps.analyst.reading.keywords.term_columns import meant_columns
from apps.analyst.telling.formats import capital
from apps.analyst.types import Table

SURE = 0.6
"""How sure the dictionary is of what a column is, so that a formula may use it."""


def with_wholes_counted(plan: Plan, tokens: Sequence[str], catalog: Catalog) -> Plan:
    """The plan with whole things counted instead of their lines, where the question (its words) speaks of no lines and
    names them, or the plan reads nothing that the lines tell; else with lines called lines."""
    spoken = {singular(token) for token in tokens}
    lined = [meaning for meaning in dictionary_of(catalog).values() if meaning.whole_columns]
    of_wholes = _of_wholes(plan, catalog) if lined else set()
    named = [m for m in lined if m.whole.split()[-1] in spoken or m.table in of_wholes]
    named = named if words().parts.isdisjoint(spoken) else []
    keys = {meaning.table: ColumnRef(table=meaning.table, column=meaning.whole_columns[0]) for meaning in named}

    def change(part: Node, source: str) -> Node | None:
        if not isinstance(part, Aggregate) or part.fn != "count":
            return None
        by_number = isinstance(part.of, ColumnRef) and part.of.column == ROW_NUMBER
        rows = part.of.table if isinstance(part.of, ColumnRef) and by_number else "" if part.of else source
        return part.model_copy(update={"of": keys[rows], "distinct": True}) if rows in keys else None

    made = everywhere(plan, change) if keys else plan
    return _with_lines_named(made, lined) if lined else made


def _of_wholes(plan: Plan, catalog: Catalog) -> set[str]:
    """The tables of lines of which a plan reads what holds for whole things alone."""
    read = {(ref.table, ref.column) for ref in every(plan) if isinstance(ref, ColumnRef) and ref.column != ROW_NUMBER}
    levels = {(t.name, bool(c.per_key)) for t in catalog.tables() for c in t.columns if (t.name, c.name) in read}
    return {table for table, whole in levels if whole and (table, False) not in levels}


def _with_lines_named(plan: Plan, lined: Sequence[TableMeaning]) -> Plan:
    """The plan with numbers of lines that are called numbers of the whole things called by the lines."""
    names = {(m.table, f"number of {plural(m.whole)}"): f"Number of {m.rows}" for m in lined}
    rows = Aggregate(fn="count")

    def change(node: Node, source: str) -> Node | None:
        if not isinstance(node, Query):
            return None
        told = {
            m.label: names[source, m.label.casefold()]
            for m in node.measures
            if m.expr == rows and (source, m.label.casefold()) in names
        }
        return _renamed(node, told) if told else None

    return everywhere(plan, change)


def as_rows(plan: Plan, catalog: Catalog) -> Plan:
    """The plan as if each whole thing had one row: how it is weighed, as words name the thing and no number of it."""
    known = dictionary_of(catalog).values()
    keys = {ColumnRef(table=meaning.table, column=name) for meaning in known for name in meaning.whole_columns}

    def change(node: Node, _: str) -> Node | None:
        if isinstance(node, Aggregate) and node.fn == "count" and node.distinct and node.of in keys:
            return node.model_copy(update={"of": None, "distinct": False})
        return None

    return everywhere(without_firsts(plan, catalog), change) if keys else plan


def of_lines(plan: Plan, catalog: Catalog) -> Plan | None:
    """The plan where it splits no whole thing, with its figures of what all lines tell alike taken once. Where it adds
    up an amount of whole things by what their lines tell, as a shop's sales by product, and knowledge makes such an
    amount of the lines' own columns (price times quantity), the plan of that; else None."""
    if split_whole(plan, catalog) is None:
        return with_firsts(plan, catalog)
    if not isinstance(plan, Query) or not isinstance(plan.source, str):
        return None
    table = next((table for table in catalog.tables() if table.name == plan.source), None)
    parts = dict(_amounts_by_lines(table, catalog)) if table is not None else {}

    def change(node: Node, _: str) -> Node | None:
        if not isinstance(node, Aggregate) or node.fn != "sum" or not isinstance(node.of, ColumnRef):
            return None
        return node.model_copy(update={"of": parts[node.of.column]}) if node.of.column in parts else None

    made = _relabelled(plan, everywhere(plan, change))
    return made if split_whole(made, catalog) is None else None


def _amounts_by_lines(table: Table, catalog: Catalog) -> Iterator[tuple[str, Expr]]:
    """The amounts of whole things that their lines' columns make up, each with the product of these."""
    meaning = dictionary_of(catalog).get(table.name)
    for derived in knowledge().derived if meaning is not None else ():
        tree = parsed(derived.formula) if derived.whole else None
        product = _product(tree, table, meaning) if tree is not None and meaning is not None else None
        if product is not None and meaning is not None:
            wholes = (column for _, column in meant_columns(derived.whole, table, meaning, SURE))
            yield from ((column.name, product) for column in wholes if column.per_key == "once")


def _product(tree: Tree, table: Table, meaning: TableMeaning) -> Expr | None:
    """A formula of columns that tell each line something of its own, as numbers; None where one is missing."""
    if isinstance(tree, Binary):
        left, right = (_product(side, table, meaning) for side in (tree.left, tree.right))
        both = left is not None and right is not None and left != right
        return Arithmetic(op=tree.sign, left=left, right=right) if both else None
    named = meant_columns(tree, table, meaning, SURE) if isinstance(tree, str) else []
    own = [(score, column.name) for score, column in named if not column.per_key and column.type in NUMBERS]
    return ColumnRef(table=table.name, column=max(own, key=lambda one: one[0])[1]) if own else None


def _relabelled(before: Query, made: Query) -> Query:
    """The query with its changed figures called by what they are made of."""
    names = {
        old.label: capital(expr_words(new.expr))
        for old, new in zip(before.measures, made.measures, strict=True)
        if old.expr != new.expr
    }
    return _renamed(made, names)


def _renamed(query: Query, names: Mapping[str, str]) -> Query:
    """The query with its figures, and what is sorted by them, under other names."""
    measures = tuple(m.model_copy(update={"label": names.get(m.label, m.label)}) for m in query.measures)
    order = tuple(
        by.model_copy(update={"by": names[by.by]}) if isinstance(by.by, str) and by.by in names else by
        for by in query.order
    )
    return query.model_copy(update={"measures": measures, "order": order})
