"""Two keys of one table to another: of a parcel's sender and its receiver, the one that the question speaks of.

A trip refers to a town where it starts and to one where it ends, a match to a home team and an away team. Which key
joins the two tables is said by a word ("departing flights", "the home team") or by "from" and "to" before the thing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from apps.analyst.computing.compile.walk import rewrite, within
from apps.analyst.language.building.built import Unbuildable
from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.morphology import keys, words
from apps.analyst.language.named import NamedColumn, NamedTable
from apps.analyst.language.schema import Schema
from apps.analyst.language.tagging import Item, Tagged
from apps.analyst.plan import ColumnRef, InQuery, Node, Query, ScalarQuery
from apps.analyst.telling.evidence import every_query
from apps.analyst.telling.formats import capital, listed, spoken
from apps.analyst.types import JoinPath

_STARTS = words(
    "from origin originate originated originating source start started starting begin depart departed departing "
    "departure leave left leaving sender send sent sending pickup dispatch dispatched dispatching export"
)
_ENDS = words(
    "to destination destined target end ended ending finish arrive arrived arriving arrival land landed landing reach "
    "reached reaching receiver recipient receive received receiving delivery delivered dropoff import bound"
)
_FROM, _TO = words("from"), words("to into toward towards")
_START_KEYS = frozenset(form for word in _STARTS for form in keys(word))
_END_KEYS = frozenset(form for word in _ENDS for form in keys(word))
_BARE = frozenset(form for word in ("id", "code", "key", "number", "no", "ref", "reference") for form in keys(word))
_SAID, _VALUE = 0.75, 0.9
_BEFORE, _BEHIND = 4, 3
"""How many words before a thing, and behind it, its role may stand."""
_STOPS = frozenset((".", "?", "!", ";", ","))


@dataclass(frozen=True, slots=True)
class Key:
    """One of the keys: the words that tell it from the others, and whether it is where something starts or ends."""

    join: JoinPath
    said: str
    forms: frozenset[str]
    way: Literal["start", "end", ""]

    def spoken_of(self, word_keys: frozenset[str]) -> bool:
        """True where a word of these forms names the role."""
        by_way = (self.way == "start" and word_keys & _START_KEYS) or (self.way == "end" and word_keys & _END_KEYS)
        return bool(word_keys & self.forms or by_way)


@dataclass(frozen=True, slots=True)
class Said:
    """The lexicon and items of a question whose words tell twin keys apart, or leave it open."""

    lexicon: Lexicon
    tagged: Tagged
    used: tuple[int, ...] = ()
    aliases: Mapping[str, str] | None = None
    """A table that is met by two keys: its second name, and what it is."""
    chosen: tuple[tuple[Key, ...], ...] = ()
    """The keys that the question speaks of, for each set of twins."""
    open: tuple[tuple[Key, ...], ...] = ()
    """Twin keys between which no word chooses; the first is taken."""


def keys_said(lexicon: Lexicon, tagged: Tagged, *, forced: Key | None = None) -> Said:
    """The question over those keys that it speaks of; `forced` chooses where it is left open."""
    said = Said(lexicon, tagged)
    for twins in twin_keys(lexicon.schema):
        said = _chosen(said, twins, forced if forced in twins else None)
    return said


def twin_keys(schema: Schema) -> list[tuple[Key, ...]]:
    """All sets of keys of one table that refer to the same other table, told apart by words of their own."""
    sides: dict[tuple[str, str, tuple[str, ...]], list[JoinPath]] = {}
    for join in schema.joins:
        if len(join.left_columns) == 1 and join.left_table != join.right_table and join.embedded is None:
            sides.setdefault((join.left_table, join.right_table, join.right_columns), []).append(join)
    found = []
    for (_, right, right_columns), joins in sides.items():
        if len(joins) < 2 or not all(join.right_unique for join in joins):
            continue
        theirs = {form for own in schema.tables[right].name.forms for form in own} | _BARE
        theirs |= {form for own in schema.columns[right, right_columns[0]].name.forms for form in own}
        twins = tuple(_key(schema, join, theirs) for join in joins)
        if sum(not key.forms for key in twins) <= 1:
            found.append(twins)
    return found


def _key(schema: Schema, join: JoinPath, theirs: set[str]) -> Key:
    name = schema.columns[join.left_table, join.left_columns[0]].name
    own = [(word, form) for word, form in zip(name.words, name.forms, strict=True) if not form & theirs]
    forms = frozenset(form for _, forms in own for form in forms)
    way: Literal["start", "end", ""] = "start" if forms & _START_KEYS else "end" if forms & _END_KEYS else ""
    plain = frozenset(form for word, forms in own if word not in _FROM | _TO for form in forms)
    return Key(join, " ".join(word for word, _ in own), plain if plain or way else forms, way)


def _chosen(said: Said, twins: tuple[Key, ...], forced: Key | None) -> Said:
    things = _things(said, twins)
    roles = {index: key for index in things if (key := _role_of(said.tagged, index, things, twins)) is not None}
    used: set[int] = set()
    if not roles:
        spoken_of = [key for key in twins if _words_of(said.tagged, key, twins)]
        if len(spoken_of) == 1:
            roles = dict.fromkeys(things or [-1], spoken_of[0])
    for key in set(roles.values()):
        used |= {index for index in _words_of(said.tagged, key, twins) if _only_a_role(said, index, key)}
    if not roles and forced is None:
        return replace(said, open=(*said.open, twins))
    if not roles:
        return replace(said, lexicon=_without(said.lexicon, [key for key in twins if key is not forced]))
    first = roles[min(roles)]
    others = {index: key for index, key in roles.items() if key is not first}
    lexicon = _without(said.lexicon, [key for key in twins if key is not first])
    chosen = tuple(dict.fromkeys((first, *others.values())))[:2]
    said = replace(said, lexicon=lexicon, used=(*said.used, *sorted(used)), chosen=(*said.chosen, chosen))
    return _twice(said, others) if others else said


def _without(lexicon: Lexicon, dropped: list[Key]) -> Lexicon:
    gone = {key.join for key in dropped}
    schema = lexicon.schema
    joins = tuple(join for join in schema.joins if join not in gone)
    return replace(lexicon, schema=Schema(tables=schema.tables, columns=schema.columns, joins=joins))


def _things(said: Said, twins: tuple[Key, ...]) -> list[int]:
    """The items that speak of the table referred to: by its name, a column, a stored value, or one of the keys."""
    table = twins[0].join.right_table
    own = {(key.join.left_table, key.join.left_columns[0]) for key in twins}
    return [index for index, item in enumerate(said.tagged.items) if _speaks_of(item, table, own)]


def _speaks_of(item: Item, table: str, own: set[tuple[str, str]]) -> bool:
    if item.tag("agg", "count", "by", "cmp") is not None:
        return False
    if item.end - item.start > 1 and item.columns and (item.columns[0].table, item.columns[0].column) in own:
        return True
    best = max([hit.score for hit in item.columns[:1]] + [hit.score for hit in item.tables[:1]], default=0.0)
    named = [hit.score for hit in item.columns[:4] if hit.table == table]
    named += [hit.score for hit in item.tables[:2] if hit.table == table]
    valued = any(hit.table == table and hit.score >= _VALUE for hit in item.values) and best < _VALUE
    return valued or bool(named and max(named) >= max(_SAID, best))


def _role_of(tagged: Tagged, index: int, things: list[int], twins: tuple[Key, ...]) -> Key | None:
    """The key whose word stands in an item, right before it or right behind it."""
    item, tokens = tagged.items[index], tagged.tokens
    inside = [key for key in twins if any(key.forms & token.keys for token in tokens[item.start : item.end])]
    if len(inside) == 1:
        return inside[0]
    others = {place for other in things if other != index for place in _span(tagged.items[other])}
    for place in range(item.start - 1, max(-1, item.start - 1 - _BEFORE), -1):
        if place in others or tokens[place].norm in _STOPS:
            break
        for way, small in (("start", _FROM), ("end", _TO)):
            led = [key for key in twins if key.way == way and tokens[place].norm in small]
            if led:
                return led[0]
        said = [key for key in twins if key.spoken_of(tokens[place].keys)]
        if len(said) == 1:
            return said[0]
    for place in range(item.end, min(len(tokens), item.end + _BEHIND)):
        if place in others or tokens[place].norm in _STOPS:
            break
        said = [key for key in twins if key.spoken_of(tokens[place].keys) and tokens[place].norm not in _FROM | _TO]
        if len(said) == 1:
            return said[0]
    return None


def _span(item: Item) -> range:
    return range(item.start, item.end)


def _words_of(tagged: Tagged, key: Key, twins: tuple[Key, ...]) -> list[int]:
    """The items that hold a word for this key and for no other."""
    found = []
    for index, item in enumerate(tagged.items):
        for token in tagged.tokens[item.start : item.end]:
            small = token.norm in _FROM | _TO
            if not small and [other for other in twins if other.spoken_of(token.keys)] == [key]:
                found.append(index)
                break
    return found


def _only_a_role(said: Said, index: int, key: Key) -> bool:
    """True for "departing" and for the "origin" of "origin country", false where the word is part of a name."""
    item = said.tagged.items[index]
    own = (key.join.left_table, key.join.left_columns[0])
    named = item.columns[0] if item.columns else None
    if item.end - item.start > 1 or item.values or (item.tables and item.tables[0].score >= _SAID):
        return False
    if named is None or named.score < _SAID:
        return True
    behind = said.tagged.items[index + 1] if index + 1 < len(said.tagged.items) else None
    return (named.table, named.column) == own and behind is not None and _speaks_of(behind, key.join.right_table, set())


# ------------------------------------------------------------------------------------------ both keys in one question
def _twice(said: Said, others: dict[int, Key]) -> Said:
    """The table once more under a second name, reached by the second key, for the items that speak of that."""
    key = next(iter(others.values()))
    table = key.join.right_table
    alias = f"{table} ({key.said})"
    schema = said.lexicon.schema
    stored = replace(schema.tables[table].table, name=alias)
    tables = {**schema.tables, alias: NamedTable(stored, schema.tables[table].name)}
    columns = dict(schema.columns)
    for (owner, column), named in schema.columns.items():
        if owner == table:
            columns[alias, column] = NamedColumn(stored, named.column, named.name)
    further = [replace(join, left_table=alias) for join in schema.joins if join.left_table == table]
    joins = (*schema.joins, replace(key.join, right_table=alias), *further)
    lexicon = replace(said.lexicon, schema=Schema(tables=tables, columns=columns, joins=joins))
    items = tuple(
        _renamed(item, table, alias) if others.get(index) is key else item
        for index, item in enumerate(said.tagged.items)
    )
    tagged = replace(said.tagged, items=items)
    return replace(said, lexicon=lexicon, tagged=tagged, aliases={**(said.aliases or {}), alias: table})


def _renamed(item: Item, table: str, alias: str) -> Item:
    return replace(
        item,
        columns=tuple(replace(hit, table=alias) if hit.table == table else hit for hit in item.columns),
        tables=tuple(replace(hit, table=alias) if hit.table == table else hit for hit in item.tables),
        values=tuple(replace(hit, table=alias) if hit.table == table else hit for hit in item.values),
    )


def under_second_names(query: Query, aliases: Mapping[str, str]) -> Query:
    """A query over second names as one that joins the table under them. Raises Unbuildable where it is scanned."""
    if query.source in aliases:
        raise Unbuildable
    joins = tuple(
        join.model_copy(update={"table": aliases[join.table], "alias": join.table}) if join.table in aliases else join
        for join in query.joins
    )

    def inner(node: Node) -> Node | None:
        if isinstance(node, InQuery | ScalarQuery):
            return node.model_copy(update={"query": under_second_names(node.query, aliases)})
        return None

    renamed = rewrite(query, inner).model_copy(update={"joins": joins})
    if isinstance(query.source, Query):
        return renamed.model_copy(update={"source": under_second_names(query.source, aliases)})
    return renamed


def chosen_keys(said: Said, query: Query) -> tuple[str, ...]:
    """The keys that the question spoke of, as far as a plan goes by them, in words."""
    used = [[key for key in chosen if _uses(query, key)] for chosen in said.chosen]
    return tuple(_matched(found) for found in used if found)


# --------------------------------------------------------------------------------------------- where no word chooses
@dataclass(frozen=True, slots=True)
class Taken:
    """The key that was taken where none was said, another one, and what to say of it."""

    also: Key
    assumption: str
    wording: str


def taken_unsaid(said: Said, query: Query) -> Taken | None:
    """What is to be said of a plan over twin keys between which no word chose; None where it uses none of them."""
    for twins in said.open:
        used = next((key for key in twins if _uses(query, key)), None)
        also = next((key for key in twins if key is not used and not _uses(query, key)), None)
        if used is not None and also is not None:
            told = f"{_matched([used])}, not by {_named(also)}"
            return Taken(also, told, _wording(said, twins, _named(also)))
    return None


def _matched(used: list[Key]) -> str:
    """ "Ports are matched by origin": which key a plan goes by."""
    return f"{capital(spoken(used[0].join.right_table))} are matched by {listed([_named(key) for key in used])}"


def _named(key: Key) -> str:
    return key.said or spoken(key.join.left_columns[0])


def _uses(query: Query, key: Key) -> bool:
    own = ColumnRef(table=key.join.left_table, column=key.join.left_columns[0])
    for part in every_query(query):
        if any(own in (on.left, on.right) for join in part.joins for on in join.on):
            return True
        if any(isinstance(node, InQuery) and own in (node.of, _shown(node.query)) for node in within(part)):
            return True
    return False


def _shown(query: Query) -> object:
    return query.columns[0].expr if query.columns else None


def _wording(said: Said, twins: tuple[Key, ...], role: str) -> str:
    """The question with the other role said before the thing."""
    text, things = said.tagged.text, _things(said, twins)
    if not things:
        return f"{text.rstrip(' ?.')} ({role})"
    at = said.tagged.tokens[said.tagged.items[things[0]].start].start
    return f"{text[:at]}{role} {text[at:]}"
