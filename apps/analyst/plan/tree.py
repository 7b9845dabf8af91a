"""The plan algebra: a typed, serialisable tree that says what to compute, never how a sentence was worded.

A planner (rules or a model) makes a `Plan`; `validate` holds it against the catalog; `compile` turns it into
parameterised SQL; `executor` runs the same tree over data frames; `sentence` words it for a person. Expressions follow
relational algebra: a `Query` scans one source, joins, filters, then either lists rows (`columns`) or groups and
measures.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Grain = Literal["hour", "day", "week", "month", "quarter", "year"]
DatePart = Literal["year", "quarter", "month", "month_name", "week", "day", "weekday", "weekday_name", "hour", "decade"]
AggregateName = Literal[
    "count",
    "sum",
    "avg",
    "min",
    "max",
    "median",
    "stddev",
    "stddev_pop",
    "variance",
    "variance_pop",
    "quantile",
    "mode",
    "first",
    "last",
]
FunctionName = Literal[
    "abs",
    "round",
    "floor",
    "ceil",
    "sqrt",
    "ln",
    "log10",
    "exp",
    "power",
    "least",
    "greatest",
    "coalesce",
    "nullif",
    "lower",
    "upper",
    "trim",
    "length",
    "concat",
    "words",
    "split_part",
    "key_part",
    "minutes_between",
    "hours_between",
    "days_between",
    "months_between",
    "years_between",
    "number",
    "seconds",
]
"""`number(text)` reads the first number in a text, `seconds(text)` a length of time ("4:32" is 272); `words(text)`
counts words; `x_between(a, b)` is b minus a: the
ends of minutes, hours or days that lie between (23:59 and 0:01 are a day apart), whole months and years. Minutes and
hours also lie between two times of day that are written as text, both of them on one day.
`key_part(text, start, length)` is a stretch of the text's letters and digits without case; length 0 takes the rest."""
WindowName = Literal[
    "share", "rank", "running_total", "moving_average", "previous", "change", "change_pct", "row_number"
]


class Node(BaseModel):
    """Every node is frozen, refuses unknown fields and carries its `kind`."""

    model_config = ConfigDict(frozen=True, extra="forbid")


# ---------------------------------------------------------------- expressions
ROW_NUMBER = "(row number)"
"""The pseudo-column of every scanned table: the row's place in its file, from 1 ("the first one listed", "after X")."""


class ColumnRef(Node):
    """A column of a scanned table (by its alias, if it has one), or its ROW_NUMBER.

    With `table` "" it is an output label: of the nested query that is scanned, or, in `having` and `order`, of this
    one.
    """

    kind: Literal["column"] = "column"
    table: str
    column: str


class Constant(Node):
    """A literal. Dates are ISO text with `type` "date" or "datetime"."""

    kind: Literal["constant"] = "constant"
    value: str | int | float | bool | None
    type: Literal["text", "number", "boolean", "date", "datetime"] = "text"


class Arithmetic(Node):
    kind: Literal["arithmetic"] = "arithmetic"
    op: Literal["+", "-", "*", "/"]
    left: Expr
    right: Expr


class Call(Node):
    """A scalar function of the allow-list."""

    kind: Literal["call"] = "call"
    name: FunctionName
    args: tuple[Expr, ...]


class Period(Node):
    """The start of the period a moment falls in (weeks start on Monday)."""

    kind: Literal["period"] = "period"
    grain: Grain
    of: Expr
    first_month: int = Field(default=1, ge=1, le=12)
    """The month in which years start, for fiscal quarters and years."""


class Part(Node):
    """A recurring part of a date: month 1 to 12, ISO weekday 1 (Monday) to 7, or its English name.

    The hour is also one of a text column that holds nothing but times of day ("14:05", "2:05 PM").
    """

    kind: Literal["part"] = "part"
    part: DatePart
    of: Expr


class Bin(Node):
    """The lower edge of an equal-width bin; `width` wins over `count`."""

    kind: Literal["bin"] = "bin"
    of: Expr
    width: float | None = None
    count: int | None = None


class Conditional(Node):
    kind: Literal["conditional"] = "conditional"
    when: Predicate
    then: Expr
    otherwise: Expr | None = None


class Aggregate(Node):
    """An aggregate over a group; `of` None counts rows; `where` restricts the rows it sees."""

    kind: Literal["aggregate"] = "aggregate"
    fn: AggregateName
    of: Expr | None = None
    distinct: bool = False
    where: Predicate | None = None
    quantile: float | None = None


class Window(Node):
    """A figure that looks across the result's rows: share of the total, rank, change against the previous row.

    It sees all rows before `having` and `limit` choose among them.
    Changes along a date that `where` keeps within a range see the period before the range, too (`compile/before`).

    `partition` names output labels within which it restarts; `order` the label that sorts it (a period for changes,
    else the measure itself, descending). Shares and relative changes come in per cent: 12.4 with the unit "%".
    `span` is the width of a moving average (3) and how many rows back `previous` and the changes look (1).
    """

    kind: Literal["window"] = "window"
    fn: WindowName
    of: Expr
    partition: tuple[str, ...] = ()
    order: str | None = None
    span: int | None = None


class ScalarQuery(Node):
    """A query of one row and one column used as a value ("above the average").

    With `own` it is the figure of the row's own group ("above the average of its category"): the query then has one
    group and one measure, and the group is the one whose value `own` is.
    """

    kind: Literal["scalar_query"] = "scalar_query"
    query: Query
    own: Expr | None = None


Expr = Annotated[
    ColumnRef | Constant | Arithmetic | Call | Period | Part | Bin | Conditional | Aggregate | Window | ScalarQuery,
    Field(discriminator="kind"),
]


# ---------------------------------------------------------------- predicates
class Compare(Node):
    kind: Literal["compare"] = "compare"
    op: Literal["=", "!=", "<", "<=", ">", ">="]
    left: Expr
    right: Expr
    fold: bool = True
    """Text is compared trimmed and without case where True."""


class Among(Node):
    kind: Literal["among"] = "among"
    of: Expr
    values: tuple[Constant, ...]
    negated: bool = False
    fold: bool = True


class Between(Node):
    """low <= x <= high; `half_open` leaves high out (date ranges)."""

    kind: Literal["between"] = "between"
    of: Expr
    low: Expr
    high: Expr
    half_open: bool = False


class TextMatch(Node):
    """A text test without case; `word` matches whole words only, `entry` one of the entries of a cell that lists
    several ("A;B")."""

    kind: Literal["text_match"] = "text_match"
    op: Literal["contains", "starts", "ends", "word", "like", "entry"]
    of: Expr
    value: str
    negated: bool = False
    separator: str = Field(default=";", min_length=1, max_length=1)
    """What stands between the entries; of `entry` alone."""


class Missing(Node):
    kind: Literal["missing"] = "missing"
    of: Expr
    negated: bool = False


class InQuery(Node):
    """True where the value is among a one-column query's values; negated: "who have never".

    A missing value is neither in nor not in. `fold` compares as JoinKey.fold does.
    """

    kind: Literal["in_query"] = "in_query"
    of: Expr
    query: Query
    negated: bool = False
    fold: bool = False


class AllOf(Node):
    kind: Literal["all_of"] = "all_of"
    of: tuple[Predicate, ...]


class AnyOf(Node):
    kind: Literal["any_of"] = "any_of"
    of: tuple[Predicate, ...]


class Not(Node):
    kind: Literal["not"] = "not"
    of: Predicate


Predicate = Annotated[
    Compare | Among | Between | TextMatch | Missing | InQuery | AllOf | AnyOf | Not, Field(discriminator="kind")
]


# ---------------------------------------------------------------- queries
class Output(Node):
    """A named column of a query's result."""

    label: str
    expr: Expr
    unit: str | None = None


class Order(Node):
    """Sort by an output label, or by an expression that is not shown."""

    by: str | Expr
    descending: bool = False


class KeyPart(Node):
    """Where the other side's key stands in the longer key of `side`: `key_part(key, start, length)`."""

    side: Literal["left", "right"]
    start: int = Field(ge=0)
    length: int | None = Field(default=None, ge=1)


class JoinKey(Node):
    """Two keys that are equal; folded, without case, marks and leading zeros; or one a part of the other."""

    left: ColumnRef
    right: ColumnRef
    fold: bool = False
    part: KeyPart | None = None


class Join(Node):
    """Joins `table` to what was scanned so far. A table may be joined twice under different `alias`es."""

    table: str
    on: tuple[JoinKey, ...]
    how: Literal["inner", "left"] = "inner"
    alias: str | None = None


class Entries(Node):
    """A column whose cells list several entries: each row of its table stands once for each of them, with that entry
    as the column's value; an empty cell stays one row."""

    of: ColumnRef
    separator: str = Field(min_length=1, max_length=1)


class Query(Node):
    """One scan. With `groups` or `measures` it aggregates; with `columns` it lists rows."""

    kind: Literal["query"] = "query"
    source: str | Query
    joins: tuple[Join, ...] = ()
    each: tuple[Entries, ...] = ()
    where: Predicate | None = None
    columns: tuple[Output, ...] = ()
    groups: tuple[Output, ...] = ()
    measures: tuple[Output, ...] = ()
    having: Predicate | None = None
    distinct: bool = False
    order: tuple[Order, ...] = ()
    limit: int | None = None
    offset: int = 0
    limit_per: tuple[str, ...] = ()
    """Output labels: `limit` then holds within each of their combinations ("top 3 per region")."""
    ties: bool = False
    """Keep rows that tie with the last one inside `limit`."""
    noun: str = ""
    """What people call its rows where they have a word for them ("won deals"); `scope` then words its conditions."""
    scope: str = ""
    """The conditions as they follow the noun (" in Q3 2026"), without those that the noun says."""
    known_until: str = ""
    """An ISO day: periods that end after it are not over. "" leaves that to the newest date of the column."""


CHANGE, CHANGE_PCT = "Change", "Change %"
SO_FAR, BY_THEN = " so far", " by then"
"""How the label of a period that is not over ends, and that of as much of the one before."""


class SetOperation(Node):
    """Rows of both sides combined without duplicates: "both", "but not", "either"."""

    kind: Literal["set"] = "set"
    op: Literal["union", "intersect", "except"]
    left: Query
    right: Query


class Comparison(Node):
    """The same aggregating query over two row sets, side by side: current, baseline, change, relative change.

    The result's labels are the groups', then `current_label`, `baseline_label`, CHANGE and CHANGE_PCT (in per cent);
    with several measures each of these is prefixed "{measure's label}: ". `query.order` and `limit` hold for the
    compared rows and may name any of these labels; a measure's own label there means its current value.
    """

    kind: Literal["comparison"] = "comparison"
    query: Query
    current: Predicate
    baseline: Predicate
    current_label: str
    baseline_label: str
    claim: Literal["", "up", "down"] = ""
    """What a yes-or-no question asks: whether the current figure is the larger ("up") or the smaller one."""


class Cut(Node):
    """One way to tell the rows of a query apart, with the joins that reach it."""

    by: Output
    joins: tuple[Join, ...] = ()


class Drivers(Node):
    """Why a figure changed: the change between two row sets, split over the groups of the cut that explains it best.

    `comparison` has one measure and no groups. Totals and counts split by their groups' own changes; averages and
    rates by each group's own rate and its weight (see `drivers`). The shares of all groups add up to 100 %.
    """

    kind: Literal["drivers"] = "drivers"
    comparison: Comparison
    cuts: tuple[Cut, ...]
    expected: Literal["", "up", "down"] = ""
    """The direction that the question takes for granted."""


class Combine(Node):
    """One figure from several one-figure queries, e.g. a difference or a ratio: `expr` refers to parts by label.

    `expr` refers to part i's only measure as ColumnRef(table="", column=parts[i].label).
    """

    kind: Literal["combine"] = "combine"
    parts: tuple[NamedQuery, ...]
    outputs: tuple[Output, ...]


class NamedQuery(Node):
    label: str
    query: Query


class Statistic(Node):
    """A statistic over the rows that `query` lists (its `columns`, in order). `options` are its stated figures."""

    kind: Literal["statistic"] = "statistic"
    name: str
    query: Query
    options: dict[str, str | int | float | bool | None] = Field(default_factory=dict)


class Describe(Node):
    """What is in the catalog, a table or a column."""

    kind: Literal["describe"] = "describe"
    table: str | None = None
    column: str | None = None


class Option(Node):
    """One reading of an ambiguous question: its wording for the person and the plan it leads to."""

    label: str
    question: str
    plan: Query | Comparison | SetOperation | Combine | Drivers | Statistic | Describe = Field(discriminator="kind")
    instead: bool = False
    """Whether it stands in the place of what was asked: what a word may mean, what comes near. Else it is a reading."""


class Clarify(Node):
    kind: Literal["clarify"] = "clarify"
    question: str
    options: tuple[Option, ...]


Plan = Annotated[
    Query | SetOperation | Comparison | Combine | Drivers | Statistic | Describe | Clarify, Field(discriminator="kind")
]

for _model in (
    Arithmetic,
    Call,
    Period,
    Part,
    Bin,
    Conditional,
    Aggregate,
    Window,
    ScalarQuery,
    Compare,
    Among,
    Between,
    TextMatch,
    Missing,
    InQuery,
    AllOf,
    AnyOf,
    Not,
    Output,
    Order,
    KeyPart,
    JoinKey,
    Join,
    Entries,
    Query,
    SetOperation,
    Comparison,
    Cut,
    Drivers,
    NamedQuery,
    Combine,
    Statistic,
    Describe,
    Option,
    Clarify,
):
    _model.model_rebuild()
