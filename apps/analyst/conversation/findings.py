"""What stands out in a table, or in what the last answer was about: computed and told one by one.

Each finding is a plan that is computed and worded as any answer is (`findings_search`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice

from apps.analyst.computing.compile.walk import windowed
from apps.analyst.computing.metrics.rhythms import day_of
from apps.analyst.conversation.figures import total_label
from apps.analyst.conversation.findings_search import Finding, Search
from apps.analyst.conversation.readas.names import Names
from apps.analyst.conversation.readas.pieces import BY_DATE, keyed, pieces
from apps.analyst.conversation.scene import Scene
from apps.analyst.conversation.shape import uncut
from apps.analyst.conversation.subject import Subject, subject_of
from apps.analyst.conversation.talk import stretches, talk
from apps.analyst.knowledge.english import english
from apps.analyst.language.reading import Reading
from apps.analyst.plan import Aggregate, ColumnRef, Output, Query
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.reading.closeness import closest
from apps.analyst.reading.homes import EXACT, WHOLE
from apps.analyst.reading.linking import Linked, link, tokens_of
from apps.analyst.reading.mending import SAID
from apps.analyst.telling import formats
from apps.analyst.telling.answers import worded
from apps.analyst.telling.labelling import rows_of
from apps.analyst.types import Answer, Chip, Part, Question, ReadAs, Table

MOST = 5
"""Findings besides the total that are told where nobody says how many."""
MOST_ASKED = 6
"""Findings that are told of however many are asked for."""
NO_MORE = "Nothing else stands out."


def findings(question: Question, catalog: Catalog, warehouse: Warehouse) -> Answer | None:
    """The answer to a message that asks what stands out; None for other messages, and where nothing was found."""
    about = _about(question, catalog)
    if about is None:
        return None
    (table, base), scene = about, Scene(catalog)
    query = base or _main_figure(table, scene)
    search = Search(question, scene, warehouse, table)
    total, found = search.total(query), search.all(query, whole=base is None)
    asked = _asked(link(question, catalog))
    told = _told(total, found, asked, whole=base is None)
    first = next(iter(told), total)
    if first is None:
        return None
    reading = Reading(first.computed.plan, 1.0, reader="about", wording=question.text.strip())
    made = worded(question, reading, first.computed, catalog)
    opening = _of_answer(base, told) if base is not None else _of_table(table, scene, total if asked else None, told)
    more = ["", NO_MORE] if told and len(told) < asked else []
    text = "\n".join([opening, *(["", *(f"- {one.text}" for one in told)] if told else []), *more])
    return replace(made, text=text, read_as=ReadAs(_chips(table, base, scene)))


def findings_parts(question: Question, catalog: Catalog) -> tuple[tuple[Part, str], ...] | None:
    """What findings that a message asks for would be about, in the words of their chips; None for other messages.
    Computes nothing."""
    about = _about(question, catalog)
    return tuple((chip.part, chip.label) for chip in _chips(*about, Scene(catalog))) if about is not None else None


def _about(question: Question, catalog: Catalog) -> tuple[Table, Query | None] | None:
    """The table, or the plan told before, in which a message asks for what stands out."""
    said = set(stretches(tokens_of(question.text)))
    if said.isdisjoint(talk().findings | talk().readers):
        return None
    linked = link(question, catalog)
    if _names_data(linked):
        return None
    subject = subject_of(question.turns)
    about_it = subject is not None and bool(set(linked.tokens) & talk().about_it)
    base = _of_subject(subject) if subject is not None and about_it else None
    table = _table(question, base, subject, catalog)
    return (table, base) if table is not None else None


def _asked(linked: Linked) -> int:
    """How many findings are asked for, as far as they are told; 0 where nobody says."""
    said = (int(number) for _, number in linked.numbers if number >= 1)
    return min(next(said, 0), MOST_ASKED)


def _told(total: Finding | None, found: Iterable[Finding], asked: int, *, whole: bool) -> list[Finding]:
    """As many findings as are asked for; where nobody says how many, the total stands before them."""
    if asked:
        return list(islice(found, asked))
    first = [total] if total is not None else []
    return [*first, *islice(found, MOST if whole else MOST - len(first))]


def _names_data(linked: Linked) -> bool:
    """Whether a message names a column, a stored value or a period, and so asks for a figure of its own; what names a
    table is meant as that. A single word for findings is none where the data have such a thing ("findings by auditor",
    "takeaway orders")."""
    tables = len(linked.index.tables)
    whole = [bool((row >= WHOLE).any()) for row in linked.channels[:, :tables, EXACT]]
    content = [n for n, word in enumerate(linked.tokens) if word not in english().stopwords and not whole[n]]
    columns = linked.channels[content, tables:, EXACT]
    values = linked.item_tokens[:, content]
    fit = closest(linked)
    alone = [n for n in content if (linked.tokens[n],) in talk().findings and fit[n] >= SAID]
    return bool(linked.periods or alone) or bool((columns >= WHOLE).any()) or bool((values >= WHOLE).any())


def _of_answer(base: Query, told: Sequence[Finding]) -> str:
    """What stands before the findings about an answer."""
    figure = formats.spoken(base.measures[0].label).lower()
    return f"What stands out in {figure}:" if told else f"Nothing stands out in {figure}."


def _of_table(table: Table, scene: Scene, total: Finding | None, told: Sequence[Finding]) -> str:
    """What stands before the findings about a table, with the total where it is none of them."""
    rows, reach = f"{table.rows:,} {rows_of(table.name, scene.catalog, table.rows)}", _reach(table, scene)
    days = f", from {reach}" if reach else ""
    sum_ = f" {total.text}" if total is not None and _adds_up(total) else ""
    more = "What stands out:" if told else "Nothing stands out."
    return f"**{formats.spoken(table.name).capitalize()}** holds {rows}{days}.{sum_} {more}"


def _adds_up(total: Finding) -> bool:
    """Whether a total says more than how many rows there are."""
    plan = total.computed.plan
    return isinstance(plan, Query) and plan.measures[0].expr != Aggregate(fn="count")


def _reach(table: Table, scene: Scene) -> str:
    """The days that a table's rows are of: "3 Jan 2024 to 20 Dec 2025"; "" where they have no date."""
    date = _date(table, scene)
    column = scene.column(date) if date is not None else None
    low, high = (day_of(column.minimum), day_of(column.maximum)) if column is not None else (None, None)
    return f"{formats.day(low)} to {formats.day(high)}" if low is not None and high is not None else ""


def _date(table: Table, scene: Scene) -> ColumnRef | None:
    return scene.main_date(Query(source=table.name))


def _chips(table: Table, base: Query | None, scene: Scene) -> tuple[Chip, ...]:
    """Which file the findings are about and which days, beside what the answer before was about. None can be read
    otherwise here: whoever means another table names it."""
    if base is not None:
        found = [Chip(key, piece.part, piece.label) for key, piece in keyed(pieces(base, scene.catalog)).items()]
    else:
        reach, date = _reach(table, scene), _date(table, scene)
        label = Names(Query(source=table.name), scene.catalog).label(date) if date is not None else ""
        found = [Chip("period:0", "period", f"{reach}{BY_DATE}{label}")] if reach else []
    if any(chip.part == "files" for chip in found):
        return tuple(found)
    return (*found, Chip("files:0", "files", f"In {table.name}"))


def _of_subject(subject: Subject) -> Query | None:
    query = subject.query
    if query is None or not query.measures or windowed(query.measures[0].expr):
        return None
    return uncut(query).model_copy(update={"measures": query.measures[:1], "having": None})


def _table(question: Question, base: Query | None, subject: Subject | None, catalog: Catalog) -> Table | None:
    """The table that is meant: of the answer before, the one that is named, by its name or by what its rows are called,
    else of those that are about money the one with most rows."""
    tables = [t for t in catalog.tables() if not t.example] or list(catalog.tables())
    source = base.source if base is not None else None
    said = set(tokens_of(question.text.replace("_", " ")))
    named = [t for t in tables if set(formats.spoken(t.name).casefold().split()) <= said]
    named = named or [t for t in tables if rows_of(t.name, catalog).casefold().split()[-1] in said]
    if source is None and not named and subject is not None and subject.query is not None:
        source = subject.query.source
    mine, scene = [t for t in catalog.tables() if t.name == source] or named or tables, Scene(catalog)
    return max(mine, key=lambda t: (any(money for money, _ in _sums(t, scene)), t.rows), default=None)


def _sums(table: Table, scene: Scene) -> list[tuple[bool, ColumnRef]]:
    """The figures of a table that add up, each with whether it is money."""
    refs = [ColumnRef(table=table.name, column=column.name) for column in table.columns]
    return [
        (meaning.money, ref)
        for ref in refs
        if scene.is_figure(ref) and (meaning := scene.meaning(ref)) is not None and meaning.adds == "sum"
    ]


def _main_figure(table: Table, scene: Scene) -> Query:
    """What a table is about: its money, else its first figure that adds up, else its rows."""
    sums = _sums(table, scene)
    if sums:
        ref = max(sums, key=lambda found: found[0])[1]
        column = table.column(ref.column)
        unit = column.unit if column is not None else None
        measure = Output(label=total_label(scene.said(ref)), expr=Aggregate(fn="sum", of=ref), unit=unit)
    else:
        measure = Output(label=f"Number of {rows_of(table.name, scene.catalog)}", expr=Aggregate(fn="count"))
    return Query(source=table.name, measures=(measure,))
