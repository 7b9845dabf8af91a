"""Single values: columns, literals, arithmetic, functions, choices. Cleaning that reading a file made needless is left out."""

from __future__ import annotations

from sqlglot import exp

from apps.analyst.lifting.moments import Moments, number
from apps.analyst.lifting.reasons import NotLifted
from apps.analyst.lifting.syntax import (
    bare,
    cast_to,
    is_aggregate,
    is_condition,
    number_of,
    text_of,
)
from apps.analyst.plan import (
    Arithmetic,
    Call,
    ColumnRef,
    Compare,
    Conditional,
    Constant,
    Expr,
    FunctionName,
    Not,
    Part,
    Period,
    Predicate,
    Query,
    ScalarQuery,
)
from apps.analyst.types import ColumnType

_OPERATORS = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/"}
_FUNCTIONS: dict[type[exp.Expression], FunctionName] = {
    exp.Abs: "abs", exp.Floor: "floor", exp.Ceil: "ceil", exp.Sqrt: "sqrt", exp.Ln: "ln", exp.Exp: "exp",
    exp.Lower: "lower", exp.Upper: "upper", exp.Length: "length",
}  # fmt: skip
_CLEANING = (exp.Replace, exp.RegexpReplace, exp.Substring, exp.Trim, exp.Translate)
_CLEANING_CALLS = ("replace", "regexp_replace", "ltrim", "rtrim", "trim", "substr", "try_cast")
TRUE_WORDS, FALSE_WORDS = ("true", "t", "yes", "y", "1"), ("false", "f", "no", "n", "0")
YES, NO = Constant(value=True, type="boolean"), Constant(value=False, type="boolean")


class Values(Moments):
    """Reads single values."""

    def value(self, e: exp.Expression) -> Expr:
        """What the expression gives for a row, or for a group."""
        e = bare(e)
        if isinstance(e, exp.Column):
            return self.column(e)
        if isinstance(e, exp.Literal | exp.Neg | exp.Boolean | exp.Null):
            return self._literal(e)
        if isinstance(e, exp.Window):
            return self.window(e)
        if is_aggregate(e) or isinstance(e, exp.IgnoreNulls):
            return self.figure(e)
        moment = self.moment(e)
        if moment is not None:
            return moment
        if isinstance(e, exp.Cast | exp.TryCast):
            return self._cast(e)
        if type(e) in _OPERATORS or isinstance(e, exp.Mod | exp.IntDiv):
            return self._arithmetic(e)
        if isinstance(e, exp.Case | exp.If):
            return self._case(e)
        if isinstance(e, exp.Subquery | exp.Select):
            return self._scalar(e)
        if is_condition(e):
            return Conditional(when=self.condition(e), then=YES, otherwise=NO)
        return self._function(e)

    def _literal(self, e: exp.Expression) -> Expr:
        found = number_of(e)
        if found is not None:
            return number(found)
        if isinstance(e, exp.Boolean):
            return YES if e.this else NO
        if isinstance(e, exp.Null):
            return Constant(value=None)
        if isinstance(e, exp.Neg):
            return Arithmetic(op="-", left=number(0), right=self.numeric(e.this))
        return Constant(value=str(e.this))

    def numeric(self, e: exp.Expression) -> Expr:
        """The value as something to compute with."""
        return self.as_number(self.value(e))

    def as_number(self, found: Expr) -> Expr:
        """A value as a number: a truth as 1 or 0, a text as the number that it holds."""
        kind = self.shape(found).type
        if kind == "boolean":
            return self.counted(Compare(op="=", left=found, right=YES)) if not _is_truth(found) else _ones(found)
        if kind == "text":
            if isinstance(found, Constant):
                return number(as_float(str(found.value)))
            return Call(name="number", args=(found,))
        return found

    def counted(self, when: Predicate) -> Expr:
        """A condition as 1 and 0, missing where it is neither true nor false."""
        known = Conditional(when=Not(of=when), then=number(0))
        return Conditional(when=when, then=number(1), otherwise=known)

    # ------------------------------------------------------------ casts and arithmetic
    def _cast(self, e: exp.Expression) -> Expr:
        kind = cast_to(e)
        if kind == "date":
            return self.as_day(e.this)
        if kind == "datetime":
            return self.dated(e.this)
        inner = bare(e.this)
        if kind in ("number", "whole"):
            found = self.counted(self.condition(inner)) if is_condition(inner) else self._read_number(inner)
            whole = kind == "whole" and self.shape(found).type in ("float", "decimal")
            return Call(name="round", args=(found,)) if whole else found
        found = self.value(inner)
        shape = self.shape(found)
        if kind == "boolean":
            return self.fitted(found, "boolean") if isinstance(found, Constant) else found
        if kind == "text" and isinstance(found, Constant) and found.value is not None:
            return Constant(value=str(found.value))
        if kind == "text" or shape.type == kind:
            return found
        raise NotLifted(f"cast to {kind}")

    def _read_number(self, e: exp.Expression) -> Expr:
        """What is cast to a number; a text that is cleaned for it is read as what number it holds."""
        inner = bare(e)
        while isinstance(inner, exp.Replace | exp.Trim) or (isinstance(inner, exp.Substring) and _is_rest(inner)):
            inner = bare(inner.this)
        if inner is not bare(e):
            found = self.value(inner)
            if self.shape(found).type == "text" and not isinstance(found, Constant):
                return Call(name="number", args=(found,))
        return self.numeric(e)

    def _arithmetic(self, e: exp.Expression) -> Expr:
        share = self.share(e)
        if share is not None:
            return share
        left, right = self.value(e.this), self.value(e.expression)
        if self.shape(left).temporal or self.shape(right).temporal:
            return self._between_days(e, left, right)
        left, right = self.as_number(left), self.as_number(right)
        if isinstance(e, exp.IntDiv):
            return Call(name="floor", args=(Arithmetic(op="/", left=left, right=right),))
        if isinstance(e, exp.Mod):
            times = Call(name="floor", args=(Arithmetic(op="/", left=left, right=right),))
            return Arithmetic(op="-", left=left, right=Arithmetic(op="*", left=right, right=times))
        return Arithmetic(op=_OPERATORS[type(e)], left=left, right=right)  # type: ignore[arg-type]

    def share(self, e: exp.Expression) -> Expr | None:
        """A figure over the total of all, as the window that says so."""
        return None

    def _between_days(self, e: exp.Expression, left: Expr, right: Expr) -> Expr:
        if isinstance(e, exp.Sub) and self.shape(left).temporal and self.shape(right).temporal:
            return Call(name="days_between", args=(right, left))
        raise NotLifted("date moved by a value")

    # ------------------------------------------------------------ choices
    def _case(self, e: exp.Expression) -> Expr:
        ifs = [e] if isinstance(e, exp.If) else e.args["ifs"]
        last = e.args.get("false") if isinstance(e, exp.If) else e.args.get("default")
        subject = e.this if isinstance(e, exp.Case) else None
        other = self.value(last) if last is not None else None
        made: Expr | None = None if isinstance(other, Constant) and other.value is None else other
        for branch in reversed(ifs):
            when = branch.this if subject is None else exp.EQ(this=subject.copy(), expression=branch.this.copy())
            made = Conditional(when=self.condition(when), then=self.value(branch.args["true"]), otherwise=made)
        if made is None:
            raise NotLifted("choice without cases")
        return made

    # ------------------------------------------------------------ functions
    def _function(self, e: exp.Expression) -> Expr:
        if isinstance(e, _CLEANING) or (isinstance(e, exp.Anonymous) and e.name.lower() in _CLEANING_CALLS):
            return self._cleaned(e)
        if type(e) in _FUNCTIONS:
            return Call(name=_FUNCTIONS[type(e)], args=(self.value(e.this),))
        match e:
            case exp.Round():
                digits = e.args.get("decimals")
                more = (self.value(digits),) if digits is not None else ()
                return Call(name="round", args=(self.numeric(e.this), *more))
            case exp.Log():
                of = e.expression if e.expression is not None else e.this
                if e.expression is not None and number_of(e.this) != 10:
                    raise NotLifted("logarithm to a base")
                return Call(name="log10", args=(self.numeric(of),))
            case exp.Pow():
                return Call(name="power", args=(self.numeric(e.this), self.numeric(e.expression)))
            case exp.Coalesce():
                return self._chosen("coalesce", [e.this, *e.expressions])
            case exp.Greatest() | exp.Least():
                name: FunctionName = "greatest" if isinstance(e, exp.Greatest) else "least"
                return self._chosen(name, [e.this, *e.expressions])
            case exp.Nullif():
                return self._chosen("nullif", [e.this, e.expression])
            case exp.Concat() | exp.DPipe():
                parts = e.expressions if isinstance(e, exp.Concat) else list(e.flatten())
                return Call(name="concat", args=tuple(self._written_part(part) for part in parts))
            case exp.SplitPart():
                args = (e.this, e.args["delimiter"], e.args["part_index"])
                return Call(name="split_part", args=tuple(self.value(arg) for arg in args))
            case exp.Sign():
                raise NotLifted("sign of a number")
            case exp.Left():
                return self._stretch(e.this, 1, number_of(e.expression))
        raise NotLifted(f"function {e.name.lower() if isinstance(e, exp.Anonymous) else type(e).__name__}")

    def _chosen(self, name: FunctionName, parts: list[exp.Expression]) -> Expr:
        values = [self.value(part) for part in parts]
        kinds = [self.shape(v).type for v in values if not isinstance(v, Constant)]
        if kinds and kinds[0] is not None:
            values = [self.fitted(v, kinds[0]) if isinstance(v, Constant) else v for v in values]
        return Call(name=name, args=tuple(values))

    def _written_part(self, e: exp.Expression) -> Expr:
        found = self.value(e)
        if isinstance(found, Constant) and not isinstance(found.value, str):
            return Constant(value=str(found.value))
        return found

    def _cleaned(self, e: exp.Expression) -> Expr:
        """What a column is cleaned of was left out when its file was read; of a text only blanks can be cut."""
        of = e.expressions[0] if isinstance(e, exp.Anonymous) else e.this
        found = self.value(of)
        shape = self.shape(found)
        if shape.temporal and isinstance(e, exp.Substring):
            return self._stretch(of, number_of(e.args.get("start")), number_of(e.args.get("length")))
        if shape.type != "text":
            return found
        if isinstance(e, exp.Trim) and e.args.get("expression") is None:
            return Call(name="trim", args=(found,))
        if isinstance(e, exp.Replace) and self._is_needless(found, text_of(e.expression)):
            return found
        raise NotLifted(f"text changed by {type(e).__name__}")

    def _is_needless(self, found: Expr, mark: str | None) -> bool:
        """Whether no stored value holds what is replaced."""
        column = self.scan.stored(found)
        return bool(mark) and column is not None and column.values_complete and not any(
            str(mark) in known.value for known in column.values
        )

    def _stretch(self, of: exp.Expression, start: float | None, length: float | None) -> Expr:
        """The start of a date's text is its year or month."""
        found = self.value(of)
        if self.shape(found).temporal and start in (0, 1):
            if length == 4:
                return Part(part="year", of=found)
            if length in (7, 10):
                return Period(grain="month" if length == 7 else "day", of=found)
        if self.shape(found).temporal and start == 6 and length == 2:
            return Part(part="month", of=found)
        if self.shape(found).numeric:
            return found
        raise NotLifted("stretch of a text")

    # ------------------------------------------------------------ queries as values
    def _scalar(self, e: exp.Expression) -> Expr:
        inner = e.this if isinstance(e, exp.Subquery) else e
        if isinstance(inner, exp.Select):
            if inner.args.get("from_") is None and len(inner.expressions) == 1:
                return self.value(inner.expressions[0])
            found = self.correlated(inner)
            if found is not None:
                figure: Expr = ScalarQuery(query=found[0].query, own=found[1])
                counts = isinstance(bare(inner.expressions[0]), exp.Count)
                return Call(name="coalesce", args=(figure, number(0))) if counts else figure
        return ScalarQuery(query=one_value(self.subquery(e).query))

    def fitted(self, constant: Constant, kind: ColumnType) -> Constant:
        """A literal as a value of the kind that it is held against: '1' is a number beside numbers."""
        value = constant.value
        if value is None or kind == "boolean" and isinstance(value, bool):
            return constant
        if kind == "boolean":
            word = str(int(value)) if isinstance(value, float) else str(value).strip().casefold()
            if word in TRUE_WORDS or word in FALSE_WORDS:
                return YES if word in TRUE_WORDS else NO
        elif kind in ("integer", "decimal", "float"):
            return constant if constant.type == "number" else number(as_float(str(value)))
        elif kind == "text":
            return constant if constant.type == "text" else Constant(value=str(value))
        elif constant.type in ("date", "datetime"):
            return constant
        raise NotLifted(f"literal that is no {kind}")


def one_value(query: Query) -> Query:
    """A query of one column as one that is sure to give one row."""
    if (query.measures and not query.groups) or query.limit == 1:
        return query
    label = (query.columns or (*query.groups, *query.measures))[0].label
    column = (query.columns or (*query.groups, *query.measures))[0].model_copy(
        update={"expr": ColumnRef(table="", column=label)}
    )
    return Query(source=query, columns=(column,), limit=1)


def as_float(text: str) -> int | float:
    """The number that a text writes."""
    try:
        found = float(text.strip())
    except ValueError as error:
        raise NotLifted("text held against numbers") from error
    return int(found) if found.is_integer() else found


def _is_rest(e: exp.Substring) -> bool:
    """Whether only the first sign is cut off."""
    return number_of(e.args.get("start")) == 2 and e.args.get("length") is None


def _is_truth(expr: Expr) -> bool:
    return isinstance(expr, Conditional) and expr.then == YES and expr.otherwise == NO


def _ones(expr: Expr) -> Expr:
    """A truth as 1 and 0."""
    return expr.model_copy(update={"then": number(1), "otherwise": number(0)})
