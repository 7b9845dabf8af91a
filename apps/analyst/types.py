"""The engine's frozen values: what goes in, what comes out, and what passes between the steps.

Nothing here computes, reads files or knows Django. The plan algebra has its own package, `plan`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from apps.analyst.dictionary.lesson import Lesson
    from apps.analyst.dictionary.types import Adds, Kind
    from apps.analyst.plan import Plan

PerKey = Literal["", "key", "same", "once"]
"""How a column lies in a table whose rows are lines of whole things, as an order's are: it says which thing a row
belongs to, or what is said of the whole thing, on each of its rows or (an amount) on the first one only."""
ColumnType = Literal["text", "integer", "decimal", "float", "boolean", "date", "datetime"]
Role = Literal["measure", "dimension", "time", "id", "text"]
"""What a column is for: added up, grouped by, put on a time axis, joined on, or free text to read."""

Scalar = str | int | float | bool | Decimal | date | datetime | None
ResponseStyle = Literal["Standard", "Concise", "Explanatory"]
POINTS = "percentage points"
"""The unit of a difference of two figures in "%"."""
ChartType = Literal["line", "scatter", "bar", "pie", "doughnut", "radar", "polarArea"]


@dataclass(frozen=True, slots=True)
class ValueCount:
    """A stored value of a column and in how many rows it stands."""

    value: str
    count: int


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table as profiled at ingestion. `name` is the Parquet column's name, to the letter."""

    name: str
    type: ColumnType
    role: Role
    unit: str | None = None
    """A currency code ("USD"), "%", or a word such as "days"; None where the data says nothing."""
    distinct: int = 0
    missing: int = 0
    minimum: Scalar = None
    maximum: Scalar = None
    values: tuple[ValueCount, ...] = ()
    """The most frequent stored values, most frequent first (text and boolean columns, and small sets of numbers)."""
    values_complete: bool = False
    """True where `values` holds every distinct value."""
    unique: bool = False
    """True where no non-missing value occurs twice."""
    description: str = ""
    per_key: PerKey = ""
    """Set by tables.per_key and tables.repeated where the rows are lines of whole things; "" in other tables."""

    def __reduce__(self) -> tuple[Callable[..., Column], tuple[object, ...]]:
        """Packed as plain values: many columns go to other processes, and one by one they would take four times as
        long."""
        texts, counts = [value.value for value in self.values], [value.count for value in self.values]
        return _unpacked, (
            texts, counts, self.name, self.type, self.role, self.unit, self.distinct, self.missing, self.minimum,
            self.maximum, self.values_complete, self.unique, self.description, self.per_key,
        )  # fmt: skip


def _unpacked(texts: Sequence[str], counts: Sequence[int], *packed: Any) -> Column:
    """The column of `Column.__reduce__`."""
    fields = [*packed[:8], tuple(map(ValueCount, texts, counts)), *packed[8:]]
    return Column(*fields)


@dataclass(frozen=True, slots=True)
class Taught:
    """What people said about a table or one of its columns (see dictionary.taught). None: as it is found out."""

    column: str = ""
    """The column's name, to the letter; "" for the table itself."""
    label: str | None = None
    concept: str | None = None
    """The id of a concept; "" where it is none of those that are known."""
    kind: Kind | None = None
    adds: Adds | None = None
    unit: str | None = None
    """As for Column.unit; "" where there is none."""
    values: Mapping[str, str] = field(default_factory=dict, hash=False)
    """What stored values mean; "" where one means what it says."""
    synonyms: tuple[str, ...] = ()
    """What else people call the column."""
    value_synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    """What else people call a stored value."""
    row: str | None = None
    """Of a table: what one row is called ("order line")."""
    rows: str | None = None
    """What several are called, where that is no regular plural."""
    date_column: str | None = None
    """Of a table: the date that its rows go by where no word says which."""
    before: tuple[str, ...] = ()
    """Of a table: those with the same columns that it is taken before where a question names none."""


@dataclass(frozen=True, slots=True)
class Table:
    """One queryable table. `name` is what people call it and is unique in a catalog; SQL addresses it by that name."""

    name: str
    file_name: str
    path: Path
    rows: int
    columns: tuple[Column, ...]
    refreshed_at: datetime | None = None
    description: str = ""
    """The context text that members wrote about the file."""
    values_path: Path | None = None
    """Parquet of every distinct text value: column, value, folded, count (see tables.profile)."""
    example: bool = False
    """Made by the product to be tried out: a question is read over other tables first."""
    taught: tuple[Taught, ...] = ()
    """What people said about it and its columns."""
    private: tuple[str, ...] = ()
    """Names of columns that no language model is told of."""

    def column(self, name: str) -> Column | None:
        """The column of that exact name, or None."""
        return next((c for c in self.columns if c.name == name), None)


@dataclass(frozen=True, slots=True)
class EmbeddedKey:
    """Where one side's key stands inside the other side's longer one ("AC" in "AC-4711"): of its letters and digits
    without case, `length` from `start` on (0 is the first); None: all the rest."""

    side: Literal["left", "right"]
    """The side that holds the longer key."""
    start: int
    length: int | None = None


@dataclass(frozen=True, slots=True)
class JoinPath:
    """A way to join two tables that the data supports, with the share of left rows that find a partner (0 to 1)."""

    left_table: str
    left_columns: tuple[str, ...]
    right_table: str
    right_columns: tuple[str, ...]
    match_rate: float
    right_unique: bool
    """True where each left row meets at most one right row, so that measures of the left side are not multiplied."""
    fold: bool = False
    """True where keys only meet after trimming, ignoring case and leading zeros."""
    embedded: EmbeddedKey | None = None
    """Set where one side's key is a part of the other's."""
    versions: bool = False
    """True where right rows repeat a key and agree in what they say of it (the price changed, the name did not)."""
    said: bool = False
    """True where people confirmed the join or drew it."""


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier question of the thread with the plan that answered it (None where it was declined)."""

    question: str
    plan: Plan | None = None
    answer: str = ""
    query: str = ""
    """The SQL of a model that answered it where there is no plan."""


@dataclass(frozen=True, slots=True)
class Proven:
    """A question of the organization whose plan people found right, and why it counts as that."""

    question: str
    plan: Plan
    why: str


@dataclass(frozen=True, slots=True)
class Question:
    """What a member asks, with everything that shapes the answer."""

    text: str
    today: date
    turns: tuple[Turn, ...] = ()
    files: tuple[str, ...] | None = None
    """File names the member chose for this question; None means all of the catalog."""
    style: ResponseStyle = "Standard"
    keywords: Mapping[str, str] = field(default_factory=dict)
    context: str = ""
    """The organization's general context, or an evaluation question's constraints."""
    proven: tuple[Proven, ...] = ()
    """Proven questions of the organization that may ask the same."""
    known: Mapping[str, str] = field(default_factory=dict)
    """What figures are made of that the question names and the data have in no column; filled in by the engine."""
    offered: bool = False
    """The product itself words the question so: what the rules read in it surely is what is meant."""
    assistant: str = ""
    """What the assistant is called: who calls it by its name asks nothing of the data."""


@dataclass(frozen=True, slots=True)
class ResultColumn:
    """A column of a result: a dimension tells rows apart, a measure is a figure."""

    name: str
    type: ColumnType
    kind: Literal["dimension", "measure"]
    unit: str | None = None
    """As for Column.unit; figures with the unit "%" are in per cent (12.4 is 12.4 %)."""
    grain: str | None = None
    """For a column of periods its plan.Grain, for one of date parts its plan.DatePart: how people write its values."""


@dataclass(frozen=True, slots=True)
class Result:
    """A computed table. `total_rows` counts all rows even where `rows` was capped."""

    columns: tuple[ResultColumn, ...]
    rows: tuple[tuple[Scalar, ...], ...]
    total_rows: int

    @property
    def truncated(self) -> bool:
        """True where the result has more rows than are held here."""
        return self.total_rows > len(self.rows)


@dataclass(frozen=True, slots=True)
class Encoding:
    """What a chart shows, free of any drawing library: fields are result column names or source columns."""

    mark: ChartType
    x: str
    y: str | None
    aggregate: str | None = None
    color: str | None = None
    x_bin: bool = False
    facet: str | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart file as SPEC section 3 describes it (`document`, JSON-ready) and the encoding it was made from."""

    file_name: str
    document: Mapping[str, object]
    encoding: Encoding


@dataclass(frozen=True, slots=True)
class OutputFile:
    """A file that belongs to an answer."""

    file_name: str
    mime_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Step:
    """One thing the engine did, in words for the person who waits ("Reading the question", "Computing").

    A `brief` one is over before anybody could read it: it is told together with what follows.
    """

    label: str
    detail: str = ""
    brief: bool = False


@dataclass(frozen=True, slots=True)
class SourceUse:
    """A table an answer stands on."""

    name: str
    file_name: str
    rows: int
    refreshed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """How an answer came about, so that a person can check it."""

    sources: tuple[SourceUse, ...] = ()
    plan_sentence: str = ""
    filters: tuple[str, ...] = ()
    definitions: tuple[str, ...] = ()
    joins: tuple[str, ...] = ()
    query: str = ""
    """The SQL as run, with its parameters written in for reading only."""
    row_count: int = 0
    """Source rows that the figures are computed from, after filters."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Headline:
    """The one figure an answer comes down to. `text` is for people, `value` is exact."""

    value: Scalar
    text: str
    label: str
    unit: str | None = None
    change: float | None = None
    """Relative change against the baseline (0.124 is +12.4 %)."""
    change_text: str = ""
    good_direction: Literal["up", "down", "unknown"] = "unknown"


AnswerStatus = Literal["answered", "clarify", "declined"]
Part = Literal["figure", "group", "order", "filter", "period", "files", "definition"]
"""What of a question a part of its plan answers."""


@dataclass(frozen=True, slots=True)
class Chip:
    """One part of how a question was read. `key` tells it from the others of its answer."""

    key: str
    part: Part
    label: str
    opens: bool = False
    """True where the part could have been read otherwise."""
    guessed: bool = False
    """True where readings that come close differ in this part."""


@dataclass(frozen=True, slots=True)
class ReadAs:
    """How a question was read: its parts, and the stretches of it (characters [start, end)) that found no place."""

    chips: tuple[Chip, ...] = ()
    unread: tuple[tuple[int, int], ...] = ()
    asked: tuple[int, int] | None = None
    """Of a refusal: the stretch whose meaning is asked for."""


@dataclass(frozen=True, slots=True)
class Rival:
    """Another reading of the question with its probability."""

    plan: Plan
    chance: float
    chip: str = ""
    """The part at which it is offered, where its plan does not say: a definition that it is read without."""
    label: str = ""
    """What it is called there."""


@dataclass(frozen=True, slots=True)
class KeptKeyword:
    """A keyword that would settle a choice for the whole organization."""

    term: str
    definition: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to go on that a person can click: what it says, the question it asks, and the keyword that keeps it."""

    label: str
    question: str
    keyword: KeptKeyword | None = None
    kind: Literal["", "meaning", "rewrite"] = ""
    """Of a refusal's choices: what an unread word may mean, or a question that comes close."""
    lesson: Lesson | None = None
    """What the choice would teach the organization."""
    figure: str = ""
    """What its reading comes to, in a few words; none where that was not computed."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the engine says. `text` is Markdown without the result table, which is in `result`."""

    status: AnswerStatus
    text: str
    plan: Plan | None = None
    result: Result | None = None
    headline: Headline | None = None
    chart: Chart | None = None
    files: tuple[OutputFile, ...] = ()
    evidence: Evidence = field(default_factory=Evidence)
    assumptions: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()
    """For `clarify`: the readings to choose from; for `declined`: questions that can be answered."""
    follow_ups: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    approach: str = "builtin"
    confidence: float = 1.0
    asked: tuple[str, ...] = ()
    """Names of the result's columns that are the answer proper; the others support it. Empty: all of them."""
    memory: Proven | None = None
    """The proven question that the answer stands on."""
    read_as: ReadAs | None = None
    """How the question was read; None where nobody said."""
    rivals: tuple[Rival, ...] = ()
    """The other readings that were weighed, the likeliest first."""
    held: Literal["", "same", "other"] = ""
    """What the built-in analyst's best reading of a question that a model answered came to; "" where it has none."""
    held_text: str = ""
    """The other reading in words, where it came to another result."""
    told_to: tuple[str, ...] = ()
    """Names of the language models that were told something for this answer."""
    instead: str = ""
    """Why no language model answered that was asked for; "" where one did, or none was."""
