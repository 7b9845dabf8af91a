"""Functions of the allow-list, and literals fitted to what they stand beside.

Cleaning that reading a file made needless is left out.
"""

from __future__ import annotations

from sqlglot import exp

from apps.analyst.plan import (
    Call,
    Compare,
    Conditional,
    Constant,
    Expr,
    FunctionName,
    Not,
    Part,
    Period,
    Predicate,
)
from apps.analyst.plan.lift.moments import Moments, number
from apps.analyst.plan.lift.reasons import NotLifted
from apps.analyst.plan.lift.syntax import number_of, text_of
from apps.analyst.types import ColumnType

_FUNCTIONS: dict[type[exp.Expr], FunctionName] = {
    exp.Abs: "abs", exp.Floor: "floor", exp.Ceil: "ceil", exp.Sqrt: "sqrt", exp.Ln: "ln", exp.Exp: "exp",
    exp.Lower: "lower", exp.Upper: "upper", exp.Length: "length",
}  # fmt: skip
_CLEANING = (exp.Replace, exp.RegexpReplace, exp.Substring, exp.Trim, exp.Translate)
_CLEANING_CALLS = ("replace", "regexp_replace", "ltrim", "rtrim", "trim", "substr", "try_cast")
TRUE_WORDS, FALSE_WORDS = ("true", "t", "yes", "y", "1"), ("false", "f", "no", "n", "0")
YES, NO = Constant(value=True, type="boolean"), Constant(value=False, type="boolean")


class Functions(Moments):
    """Reads functions."""

    def numeric(self, e: exp.Expr) -> Expr:
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

    def fitted(self, constant: Constant, kind: ColumnType) -> Constant:
        """A literal as a value of the kind that it is held against: '1' is a number beside numbers."""
        value = constant.value
        if value is None or (kind == "boolean" and isinstance(value, bool)):
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

    # ------------------------------------------------------------ functions
    def function(self, e: exp.Expr) -> Expr:
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

    def _chosen(self, name: FunctionName, parts: list[exp.Expr]) -> Expr:
        values = [self.value(part) for part in parts]
        kinds = [self.shape(v).type for v in values if not isinstance(v, Constant)]
        if kinds and kinds[0] is not None:
            values = [self.fitted(v, kinds[0]) if isinstance(v, Constant) else v for v in values]
        return Call(name=name, args=tuple(values))

    def _written_part(self, e: exp.Expr) -> Expr:
        found = self.value(e)
        if isinstance(found, Constant) and not isinstance(found.value, str):
            return Constant(value=str(found.value))
        return found

    def _cleaned(self, e: exp.Expr) -> Expr:
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
        return (
            bool(mark)
            and column is not None
            and column.values_complete
            and not any(str(mark) in known.value for known in column.values)
        )

    def _stretch(self, of: exp.Expr, start: float | None, length: float | None) -> Expr:
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


def as_float(text: str) -> int | float:
    """The number that a text writes."""
    try:
        found = float(text.strip())
    except ValueError as error:
        raise NotLifted("text held against numbers") from error
    return int(found) if found.is_integer() else found


def _is_truth(expr: Expr) -> bool:
    return isinstance(expr, Conditional) and expr.then == YES and expr.otherwise == NO


def _ones(expr: Expr) -> Expr:
    """A truth as 1 and 0."""
    return expr.model_copy(update={"then": number(1), "otherwise": number(0)})
