"""The catalog's own words: which column, table or stored value a stretch of a question may mean.

Built once per catalog version. Look-ups propose, with scores; the readers decide.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock

from apps.analyst.knowledge.english import english
from apps.analyst.language.concept_terms import TERM_CALLED, terms_of
from apps.analyst.language.concepts import ALSO_CALLED, Concept, concepts_of, durations_of
from apps.analyst.language.morphology import fold, is_word, keys, stem, words
from apps.analyst.language.named import NamedColumn, NamedTable
from apps.analyst.language.names import (
    GENERIC,
    Name,
    column_name,
    common_prefix,
    plainer,
    split,
    table_name,
    table_prefix,
)
from apps.analyst.language.schema import Schema
from apps.analyst.language.values import ValueIndex, build_values
from apps.analyst.language.vocabulary import vocabulary
from apps.analyst.ports import Catalog
from apps.analyst.tables.joins import settle_roles
from apps.analyst.telling.labelling import labels_of, rows_of
from apps.analyst.types import JoinPath, Table

FUZZY_CUTOFF = 80.0
SMALL_TABLE = 150
_FIGURE_WORDS = words("amount value quantity volume count share percentage percent proportion ratio growth")
_CONTRARIES = ("un", "in", "non", "dis")
"""With these before it, a word means the contrary: no typing error."""
_CACHED = 8
_CACHED_COLUMNS = 50_000
"""Columns of all kept lexicons together; each takes about two kilobytes."""
_FEWEST_INITIALS = 3
_KEY_WORDS = words("id number no code key")
_FLAG_MARKS = words("yn flag indicator ind boolean bool")
"""At the end of a name they only say that it holds yes or no."""


@dataclass(slots=True)
class Lexicon:
    """All names and values of one catalog version."""

    tables: tuple[NamedTable, ...]
    columns: tuple[NamedColumn, ...]
    values: ValueIndex
    schema: Schema
    by_form: dict[str, list[int]] = field(default_factory=dict)
    """Word form -> indexes into `columns` whose name holds it."""
    table_by_form: dict[str, list[int]] = field(default_factory=dict)
    nicknames: dict[str, str] = field(default_factory=dict)
    """Word form -> the one table whose columns all begin with that word ("cust_id", "cust_name"), or whose rows are
    called so."""
    concepts: dict[tuple[str, str], Concept] = field(default_factory=dict)
    glued: dict[str, list[int]] = field(default_factory=dict)
    """A column's name written as one word, and its initials -> indexes into `columns`."""
    words: frozenset[str] = frozenset()
    """Every word of every name, for typos."""
    _typos: dict[str, str | None] = field(default_factory=dict)
    _pieces: tuple[NamedColumn, ...] | None = None

    def forms_of(self, word: str) -> frozenset[str]:
        """A word's forms as far as names hold them."""
        return frozenset(form for form in keys(word) if form in self.by_form or form in self.table_by_form)

    def synonym_forms(self, word_keys: frozenset[str]) -> tuple[str, ...]:
        """Forms of words with nearly the same meaning that names hold."""
        found: dict[str, None] = {}
        for key in sorted(word_keys):
            for other in vocabulary().synonyms.get(key, ()):
                if other in self.by_form or other in self.table_by_form:
                    found[other] = None
        return tuple(found)

    def correct(self, word: str) -> str | None:
        """The name word that a misspelt word means, if one is near; None for words of the dictionary."""
        if word not in self._typos:
            self._typos[word] = self._nearest(word)
        return self._typos[word]

    def _nearest(self, word: str) -> str | None:
        if len(word) < 5 or not word.isalpha() or self.forms_of(word):
            return None
        known = is_word(word)
        from rapidfuzz import fuzz, process

        hit = process.extractOne(
            word, sorted(self.words), scorer=fuzz.ratio, score_cutoff=90.0 if known else FUZZY_CUTOFF
        )
        contrary = hit is not None and word in (f"{prefix}{hit[0]}" for prefix in _CONTRARIES)
        return None if hit is None or contrary else hit[0]

    def is_line_key(self, named: NamedColumn) -> bool:
        """True for ids that repeat and refer to no table: the orders of a table of order lines."""
        column = named.column
        return (
            column.role == "id"
            and not column.unique
            and not any(
                edge.one and edge.source_columns == (column.name,)
                for edge in self.schema.edges.get(named.table.name, ())
            )
        )

    def is_own_name(self, word: str) -> bool:
        """True for a word such as "amount" where a column is called so: then "total amount of" names that column."""
        return word in _FIGURE_WORDS and any(
            named.name.needed == (word,)
            for form in keys(word)
            for index in self.by_form.get(form, ())
            for named in (self.columns[index],)
        )

    def pieces(self) -> tuple[NamedColumn, ...]:
        """The columns that are named quantity and nothing more: how many pieces a row stands for."""
        if self._pieces is None:
            self._pieces = self._called("quantity") or self._called("units") or self._called("pieces")
        return self._pieces

    def _called(self, word: str) -> tuple[NamedColumn, ...]:
        """The figures whose name is one word."""
        forms = keys(word)
        return tuple(
            named
            for named in self.columns
            if named.column.role == "measure"
            and named.name.key_words == 1
            and any(form & forms for form, skip in zip(named.name.forms, named.name.optional, strict=True) if not skip)
        )

    def is_small(self, table: str) -> bool:
        """True for tables so small that a question's words likely quote their cells."""
        return self.schema.tables[table].table.rows <= SMALL_TABLE

    def column(self, table: str, column: str) -> NamedColumn | None:
        """A column by its names."""
        return self.schema.columns.get((table, column))


def build(catalog: Catalog) -> Lexicon:
    """The lexicon of a catalog, built once for a version: who comes meanwhile waits for it, and no longer than it takes
    its builder to end, however it ends."""
    with _lock:
        building = _building.setdefault(catalog.version, Lock())
    with building:
        with _lock:
            cached = _cache.get(catalog.version)
            if cached is not None:
                _cache.move_to_end(catalog.version)
                return cached
        try:
            made = _build(catalog.tables(), catalog)
            with _lock:
                _cache[catalog.version] = made
                _forget()
        finally:
            with _lock:
                _building.pop(catalog.version, None)
    return made


def forget() -> None:
    """Lets go of all that is kept."""
    with _lock:
        _cache.clear()


def _forget() -> None:
    """Lets go of the lexicons that were not used for longest: more than a few, or few that are very wide."""
    held = sum(len(lexicon.columns) for lexicon in _cache.values())
    while len(_cache) > 1 and (len(_cache) > _CACHED or held > _CACHED_COLUMNS):
        held -= len(_cache.popitem(last=False)[1].columns)


_cache: OrderedDict[str, Lexicon] = OrderedDict()
_building: dict[str, Lock] = {}
_lock = Lock()


def _build(stored: Sequence[Table], catalog: Catalog) -> Lexicon:
    tables = settle_roles(stored, catalog.joins())
    known = frozenset(word for table in tables for word in split(table.name))
    known |= frozenset(
        word for table in tables for column in table.columns for word in split(column.name) if len(word) > 3
    )
    prefix = table_prefix(table.name for table in tables)
    named_tables = tuple(NamedTable(table, table_name(table.name, known, prefix)) for table in tables)
    taken = {column_name(column.name, (), known).needed for table in tables for column in table.columns}
    taken |= {named.name.needed for named in named_tables}
    named_tables = tuple(replace(named, name=plainer(named.name, taken)) for named in named_tables)
    named_tables = _called_by_keys(named_tables)
    named_columns = tuple(
        NamedColumn(named.table, column, column_name(column.name, (*named.name.words, *prefix), known))
        for named, prefix in ((named, common_prefix(named.table)) for named in named_tables)
        for column in named.table.columns
    )
    joins = tuple(catalog.joins())
    made = (
        (*concepts_of(table, tables, joins), *durations_of(table, tables, joins), *terms_of(table)) for table in tables
    )
    concepts = [concept for of_table in made for concept in of_table]
    called = {**ALSO_CALLED, TERM_CALLED[0]: TERM_CALLED}
    by_name = {named.table.name: named.table for named in named_tables}
    named_columns += tuple(
        NamedColumn(
            by_name[c.table], c.column, Name(c_words, tuple(keys(word) for word in c_words), (False,) * len(c_words))
        )
        for c in concepts
        for c_words in called.get(c.words, (c.words,))
        if c_words == c.words or not any(stem(c_words[0]) in map(stem, named.name.needed) for named in named_tables)
    )
    named_columns += tuple(_spelled_out(named_columns, catalog))
    named_columns = tuple(_as_flag(_as_role(named, joins)) for named in named_columns)
    schema = Schema(
        tables={named.table.name: named for named in named_tables},
        columns={(named.table.name, named.column.name): named for named in named_columns},
        joins=joins,
    )
    lexicon = Lexicon(named_tables, named_columns, build_values(tables), schema)
    lexicon.concepts = {(concept.table, concept.column.name): concept for concept in concepts}
    for index, column in enumerate(named_columns):
        for form in frozenset(form for forms in column.name.forms for form in forms):
            lexicon.by_form.setdefault(form, []).append(index)
        lexicon.glued.setdefault("".join(split(column.column.name)), []).append(index)
        lexicon.glued.setdefault(fold(column.column.name).replace(" ", ""), []).append(index)
        if (initials := _initials(column.column.name)) is not None and initials not in lexicon.by_form:
            lexicon.glued.setdefault(initials, []).append(index)
    for index, table in enumerate(named_tables):
        for form in frozenset(form for forms in table.name.forms for form in forms):
            lexicon.table_by_form.setdefault(form, []).append(index)
    lexicon.nicknames = _nicknames(named_tables, catalog)
    lexicon.words = frozenset(
        word
        for name in (*(c.name for c in named_columns), *(t.name for t in named_tables))
        for word in name.words
        if len(word) >= 4
    )
    return lexicon


def _spelled_out(columns: Sequence[NamedColumn], catalog: Catalog) -> Iterator[NamedColumn]:
    """Columns with shortened names under the labels that people see instead: what is suggested to them says these.
    Not those of a row of alike ones: "Q1" to "Q4" are no four things that a "quarter" may mean."""
    labels = {table.name: labels_of(table, catalog) for table in catalog.tables()}
    alike = {table: Counter(map(_unnumbered, named.values())) for table, named in labels.items()}
    for named in columns:
        label = labels[named.table.name].get(named.column.name)
        if label is None or alike[named.table.name][_unnumbered(label)] > 1:
            continue
        name = column_name(label, (), ())
        if not set(name.words) <= set(named.name.words):
            yield replace(named, name=name)


def _unnumbered(label: str) -> str:
    """A label without its numbers."""
    return " ".join(word for word in label.split() if word not in english().ordinals and not word.isdigit())


def _called_by_keys(tables: Sequence[NamedTable]) -> tuple[NamedTable, ...]:
    """ "tickets" of a table of support tickets that a "ticket" or a "ticket no" tells apart, and of no other table."""
    holders: dict[str, set[str]] = {}
    for named in tables:
        alone = (words_[0] for column in named.table.columns if len(words_ := split(column.name)) == 1)
        for form in {form for word in (*named.name.needed, *alone) for form in keys(word)}:
            holders.setdefault(form, set()).add(named.table.name)
    return tuple(_called_by_key(named, holders) for named in tables)


def _called_by_key(named: NamedTable, holders: Mapping[str, set[str]]) -> NamedTable:
    """`holders`: word form -> the tables that are called so, or have a column called so."""
    head = keys(named.name.needed[-1])
    if named.name.key_words < 2 or any(holders.get(form, set()) - {named.table.name} for form in head):
        return named
    told = (split(column.name) for column in named.table.columns if column.unique and not column.missing)
    if not any(keys(name[0]) & head and set(name[1:]) <= _KEY_WORDS for name in told if name):
        return named
    optional = tuple(skip or not form & head for skip, form in zip(named.name.optional, named.name.forms, strict=True))
    return replace(named, name=replace(named.name, optional=optional))


def _initials(name: str) -> str | None:
    """ "csm" for a customer success manager; None where they are too few to tell, or a word of their own."""
    found = "".join(word[0] for word in split(name))
    return found if len(found) >= _FEWEST_INITIALS and found.isalpha() and not is_word(found) else None


def _as_role(named: NamedColumn, joins: Sequence[JoinPath]) -> NamedColumn:
    """A key named by its role and the key it refers to ("sales rep employee number"): the role is what people say."""
    words = named.name.words
    for join in joins:
        if (join.left_table, join.left_columns) != (named.table.name, (named.column.name,)):
            continue
        own = tuple(split(join.right_columns[0]))
        if len(own) > 1 and len(words) - len(own) > 1 and words[-len(own) :] == own:
            optional = (*named.name.optional[: -len(own)], *([True] * len(own)))
            if not all(optional):
                return replace(named, name=replace(named.name, optional=optional))
    return named


def _as_flag(named: NamedColumn) -> NamedColumn:
    """A flag without the mark that it is one: "abandoned_yn" is said as "abandoned"."""
    name = named.name
    if len(name.words) < 2 or name.words[-1] not in _FLAG_MARKS or named.column.role == "measure":
        return named
    return replace(named, name=replace(name, optional=(*name.optional[:-1], True)))


def _nicknames(tables: Sequence[NamedTable], catalog: Catalog) -> dict[str, str]:
    """What a table's columns say it is about, and what its rows are called where its name does not say it; where no
    other table's columns or name say the same."""
    found: dict[str, list[str]] = {}
    for named in tables:
        rows = rows_of(named.table.name, catalog, 1)
        for word in {*common_prefix(named.table), *([rows] if rows != "row" and " " not in rows else [])}:
            for form in keys(word):
                found.setdefault(form, []).append(named.table.name)
    own = {form for named in tables for word in named.name.needed for form in keys(word)}
    return {form: names[0] for form, names in found.items() if len(names) == 1 and form not in own}


def is_generic(word_keys: frozenset[str]) -> bool:
    """True for words such as "name" and "type" that many columns share."""
    return bool(word_keys & GENERIC)
