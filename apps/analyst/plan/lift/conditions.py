"""Conditions: comparisons, sets, ranges, texts, missing values, and queries that are asked what they hold."""

from __future__ import annotations

import re

from sqlglot import exp

from apps.analyst.plan import (
    AllOf,
    Among,
    AnyOf,
    Between,
    Call,
    Compare,
    Constant,
    Expr,
    InQuery,
    Missing,
    Not,
    Predicate,
    Query,
    TextMatch,
)
from apps.analyst.plan.conditions import all_of
from apps.analyst.plan.lift.comparing import Comparing
from apps.analyst.plan.lift.functions import FALSE_WORDS, TRUE_WORDS, YES
from apps.analyst.plan.lift.reasons import NotLifted
from apps.analyst.plan.lift.syntax import alternatives, bare, cast_to, conjuncts, is_condition, number_of, text_of

_TEXT_TESTS = {
    "prefix": "starts",
    "suffix": "ends",
    "starts_with": "starts",
    "ends_with": "ends",
    "contains": "contains",
}
_PLAIN = re.compile(r"[\w \-,'&@/]+")
_COMPARISONS: dict[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.NEQ: "!=",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
}


class Conditions(Comparing):
    """Reads conditions."""

    def condition(self, e: exp.Expr) -> Predicate:
        """The condition."""
        e = bare(e)
        found = self._condition(e)
        negated = bool(e.args.get("negate")) if isinstance(e, exp.Like | exp.ILike | exp.In | exp.Between) else False
        return negation(found) if negated else found

    def _condition(self, e: exp.Expr) -> Predicate:
        if type(e) in _COMPARISONS:
            return self.compared(_COMPARISONS[type(e)], e.this, e.expression)
        match e:
            case exp.And():
                parts = [self.condition(part) for part in conjuncts(e) if not is_always(part)]
                return all_of(*parts) or always()
            case exp.Or():
                return either([self.condition(part) for part in alternatives(e)])
            case exp.Not():
                return self._not(bare(e.this))
            case exp.Between():
                return self._between(e)
            case exp.In():
                return self._in(e)
            case exp.Is() | exp.NullSafeEQ() | exp.NullSafeNEQ():
                return self._is(e)
            case exp.Like() | exp.ILike():
                return self._like(self.value(e.this), self._text(e.expression))
            case exp.Contains() | exp.StartsWith() | exp.EndsWith():
                return self._text_test(type(e).__name__.lower(), e.this, e.expression)
            case exp.RegexpLike():
                return self._pattern(e)
            case exp.Exists():
                return self._exists(e)
        if isinstance(e, exp.Anonymous) and e.name.lower() in _TEXT_TESTS:
            return self._text_test(e.name.lower(), *e.expressions)
        if isinstance(e, exp.Cast | exp.TryCast) and cast_to(e) == "boolean":
            return self.condition(e.this)
        if is_condition(e):
            raise NotLifted(f"condition {type(e).__name__}")
        return self.truth(self.value(e), type(e).__name__)

    def truth(self, found: Expr, what: str) -> Predicate:
        """A value that is taken for a condition."""
        shape = self.shape(found)
        if shape.type == "boolean":
            return Compare(op="=", left=found, right=YES)
        if shape.numeric:
            return Compare(op="!=", left=found, right=Constant(value=0, type="number"))
        column = self.scan.stored(found)
        words = [known.value for known in column.values] if column is not None and column.values_complete else []
        if words and all(word.strip().casefold() in (*TRUE_WORDS, *FALSE_WORDS) for word in words):
            true = [word for word in words if word.strip().casefold() in TRUE_WORDS]
            return Among(of=found, values=tuple(Constant(value=word) for word in true), fold=False)
        raise NotLifted(f"condition {what}")

    def _text(self, e: exp.Expr) -> str | None:
        """A text, also in double quotes, as some engines take it."""
        found = self.value(e) if isinstance(e, exp.Column) else None
        return str(found.value) if isinstance(found, Constant) else text_of(e)

    # ------------------------------------------------------------ not, between, in, is
    def opposite(self, found: Predicate) -> Predicate:
        """What holds where the condition does not."""
        return negation(found)

    def _not(self, e: exp.Expr) -> Predicate:
        if isinstance(e, exp.Exists):
            inside = self._exists(e)
            of = inside.of if isinstance(inside, InQuery) else None
            outside = negation(inside)
            filled = of is None or self.scan.filled(of)
            return outside if filled or of is None else AnyOf(of=(Missing(of=of), outside))
        return negation(self.condition(e))

    def _between(self, e: exp.Between) -> Predicate:
        if any(self.moves(e.args[name]) for name in ("low", "high")) or self.moves(e.this):
            return AllOf(of=(self.compared(">=", e.this, e.args["low"]), self.compared("<=", e.this, e.args["high"])))
        of = self.value(e.this)
        low, high = self.matched(of, e.args["low"]), self.matched(of, e.args["high"])
        return Between(of=of, low=low, high=high)

    def _in(self, e: exp.In) -> Predicate:
        query = e.args.get("query")
        if query is not None:
            return self._in_query(e.this, query)
        if isinstance(bare(e.this), exp.DayOfWeek):
            parts: list[Predicate] = [self.compared("=", e.this, item) for item in e.expressions]
            return either(parts)
        of = self.value(e.this)
        values = [self.matched(of, item) for item in e.expressions if not isinstance(bare(item), exp.Null)]
        if not values:
            raise NotLifted("empty list of values")
        constants = tuple(value for value in values if isinstance(value, Constant))
        if len(constants) == len(values):
            return self._among(of, constants)
        return either([Compare(op="=", left=of, right=value, fold=False) for value in values])

    def _among(self, of: Expr, values: tuple[Constant, ...]) -> Predicate:
        """One of a set. A word for no value among them is the missing one."""
        said = tuple(value for value in values if not self.says_nothing(of, value))
        parts: list[Predicate] = [Among(of=of, values=said, fold=False)] if said else []
        return either([*parts, Missing(of=of)] if len(said) < len(values) else parts)

    def _in_query(self, of: exp.Expr, query: exp.Expr) -> Predicate:
        inside = self.subquery(query).query
        if isinstance(bare(of), exp.Tuple):
            one: Expr = packed([self.value(part) for part in bare(of).expressions])
            return InQuery(of=one, query=packed_query(inside))
        return InQuery(of=self.value(of), query=inside)

    def _is(self, e: exp.Expr) -> Predicate:
        if isinstance(e, exp.NullSafeEQ | exp.NullSafeNEQ):
            return self._safe(e)
        if isinstance(e.expression, exp.Null):
            return Missing(of=self.value(e.this))
        if isinstance(e.expression, exp.Boolean):
            inner = self.condition(e.this)
            return inner if e.expression.this else either([negation(inner), Missing(of=self.value(e.this))])
        raise NotLifted("is")

    def _safe(self, e: exp.Expr) -> Predicate:
        """Equal, where two missing values are equal too."""
        left, right = self.value(e.this), self.matched(self.value(e.this), e.expression)
        same = Compare(op="=", left=left, right=right, fold=False)
        if isinstance(right, Constant):
            if isinstance(e, exp.NullSafeEQ):
                return same
            return either([Compare(op="!=", left=left, right=right, fold=False), Missing(of=left)])
        raise NotLifted("is distinct from")

    # ------------------------------------------------------------ texts
    def _like(self, of: Expr, pattern: str | None) -> Predicate:
        if not pattern:
            raise NotLifted("pattern that is no text")
        shape = self.shape(of)
        if shape.temporal:
            return self._dates_like(of, pattern)
        if shape.type not in ("text", "integer"):
            raise NotLifted(f"pattern of a {shape.type}")
        core = pattern.strip("%")
        if not core:
            return Missing(of=of, negated=True)
        if "%" in core or "_" in core:
            return TextMatch(op="like", of=of, value=pattern)
        before, after = pattern.startswith("%"), pattern.endswith("%")
        if before and after:
            return TextMatch(op="contains", of=of, value=core)
        if before or after:
            return TextMatch(op="ends" if before else "starts", of=of, value=core)
        return TextMatch(op="like", of=of, value=pattern)

    def _dates_like(self, of: Expr, pattern: str) -> Predicate:
        """The start of a date's text is a year, a month or a day."""
        found = self.period_of(of, pattern.rstrip("%-"))
        if found is None or not pattern.endswith("%"):
            raise NotLifted("pattern of a date")
        return found

    def _text_test(self, name: str, of: exp.Expr, what: exp.Expr) -> Predicate:
        text = text_of(what)
        if not text:
            raise NotLifted("text test without a text")
        op = {"startswith": "starts", "endswith": "ends"}.get(name) or _TEXT_TESTS[name]
        found = self.value(of)
        if self.shape(found).type not in ("text", "integer"):
            raise NotLifted("text test of no text")
        return TextMatch(op=op, of=found, value=text)

    def _pattern(self, e: exp.Expr) -> Predicate:
        """A regular expression that only looks for some texts."""
        pattern = (text_of(e.expression) or "").removeprefix("(?i)")
        parts = pattern.split("|")
        if not pattern or not all(_PLAIN.fullmatch(part.removeprefix("^").removesuffix("$")) for part in parts):
            raise NotLifted("regular expression")
        of = self.value(e.this)
        found: list[Predicate] = []
        for part in parts:
            op = "starts" if part.startswith("^") else "ends" if part.endswith("$") else "contains"
            found.append(TextMatch(op=op, of=of, value=part.strip("^$")))
        return either(found)

    # ------------------------------------------------------------ queries
    def _exists(self, e: exp.Exists) -> Predicate:
        inner = e.this.this if isinstance(e.this, exp.Subquery) else e.this
        if not isinstance(inner, exp.Select):
            raise NotLifted("exists of a set")
        query, of = self.membership(inner)
        return InQuery(of=of, query=query)


def negation(found: Predicate) -> Predicate:
    """What holds where the condition does not; what is missing is neither."""
    match found:
        case Among() | TextMatch() | Missing() | InQuery():
            return found.model_copy(update={"negated": not found.negated})
        case Compare(op="="):
            return found.model_copy(update={"op": "!="})
        case Compare(op="!="):
            return found.model_copy(update={"op": "="})
        case Not():
            return found.of
    return Not(of=found)


def either(parts: list[Predicate]) -> Predicate:
    """One of the conditions."""
    return parts[0] if len(parts) == 1 else AnyOf(of=tuple(parts))


def always() -> Predicate:
    """What holds for every row."""
    return Compare(op="=", left=Constant(value=1, type="number"), right=Constant(value=1, type="number"))


def is_always(e: exp.Expr) -> bool:
    """Whether a condition says nothing: TRUE, 1 = 1."""
    e = bare(e)
    if isinstance(e, exp.Boolean):
        return bool(e.this)
    return isinstance(e, exp.EQ) and number_of(e.left) is not None and number_of(e.left) == number_of(e.right)


def packed(parts: list[Expr]) -> Expr:
    """Several values as one text."""
    mixed: list[Expr] = []
    for part in parts:
        mixed += [Constant(value="|"), part] if mixed else [part]
    return mixed[0] if len(mixed) == 1 else Call(name="concat", args=tuple(mixed))


def packed_query(query: Query) -> Query:
    """A listing of several columns with them as one text."""
    if not query.columns:
        raise NotLifted("members of several figures")
    one = query.columns[0].model_copy(update={"expr": packed([output.expr for output in query.columns])})
    return query.model_copy(update={"columns": (one,)})
