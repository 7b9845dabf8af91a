"""Figures that look across rows: shares, ranks, running totals, earlier rows, totals of all or of a part."""

from __future__ import annotations

from abc import abstractmethod

from sqlglot import exp

from apps.analyst.plan import Arithmetic, Expr, Query, ScalarQuery, Window, WindowName
from apps.analyst.plan.lift.figures import Figures
from apps.analyst.plan.lift.moments import number
from apps.analyst.plan.lift.reasons import NotLifted
from apps.analyst.plan.lift.syntax import bare, number_of, uncast

_RANKS: dict[type[exp.Expr], WindowName] = {exp.Rank: "rank", exp.RowNumber: "row_number"}
_TOTALS = (exp.Sum, exp.Avg, exp.Min, exp.Max, exp.Count, exp.Median)


class Frames(Figures):
    """Reads figures that look across rows."""

    @abstractmethod
    def label_of(self, expr: Expr) -> str:
        """The output of this SELECT that is the expression; a hidden one where none is."""

    @abstractmethod
    def ascends(self, expr: Expr) -> bool:
        """Whether a window that is sorted by this output runs upwards."""

    @abstractmethod
    def tells_apart(self, exprs: list[Expr]) -> bool:
        """Whether no two rows of this SELECT have the same values of these."""

    @abstractmethod
    def rows_query(self, figure: exp.Expr, keys: list[exp.Expr]) -> Query:
        """This SELECT's rows once more: a figure over all of them, or by a key."""

    def window(self, e: exp.Window) -> Expr:
        """A figure that looks across rows."""
        function = bare(e.this)
        if isinstance(function, exp.IgnoreNulls):
            function = function.this
        parts = list(e.args.get("partition_by") or [])
        order = e.args.get("order")
        keys = list(order.expressions) if order is not None else []
        if type(function) in _RANKS or isinstance(function, exp.DenseRank):
            return self._rank(function, parts, keys)
        if isinstance(function, exp.Lag | exp.Lead):
            return self._earlier(function, parts, keys)
        if isinstance(function, exp.Filter) or not isinstance(function, _TOTALS):
            raise NotLifted(f"window {type(function).__name__}")
        if not keys:
            return self._total(function, parts)
        return self._running(function, parts, keys, e.args.get("spec"))

    def share(self, e: exp.Expr) -> Expr | None:
        """`100.0 * x / sum(x) OVER ()` is a share in per cent."""
        tops, bottoms = factors(e)
        totals = [b for b in bottoms if isinstance(b, exp.Window)]
        if len(bottoms) != 1 or len(totals) != 1:
            return None
        total = totals[0]
        function = bare(total.this)
        if not isinstance(function, exp.Sum) or total.args.get("order") is not None:
            return None
        scales = [number_of(top) for top in tops]
        rest = [top for top, scale in zip(tops, scales, strict=True) if scale is None]
        if len(rest) != 1 or uncast(rest[0]) != uncast(function.this):
            return None
        scale = 1.0
        for found in scales:
            scale *= found if found is not None else 1
        of = self.numeric(rest[0])
        partition = tuple(self.label_of(self.value(part)) for part in total.args.get("partition_by") or [])
        window = Window(fn="share", of=of, partition=partition)
        if scale == 100:
            return window
        return Arithmetic(op="/", left=window, right=number(100 / scale))

    # ------------------------------------------------------------ kinds
    def _rank(self, function: exp.Expr, parts: list[exp.Expr], keys: list[exp.Expr]) -> Expr:
        if isinstance(function, exp.DenseRank):
            raise NotLifted("dense rank")
        fn = _RANKS[type(function)]
        if not keys:
            raise NotLifted("rank without an order")
        if len(keys) > 1:
            raise NotLifted("rank by several keys")
        partition = tuple(self.label_of(self.value(part)) for part in parts)
        by = self.value(keys[0].this)
        if keys[0].args.get("desc"):
            return Window(fn=fn, of=by, partition=partition)
        label = self.label_of(by)
        if self.ascends(by):
            return Window(fn=fn, of=by, partition=partition, order=label)
        negative = Arithmetic(op="-", left=number(0), right=self.as_number(by))
        return Window(fn=fn, of=negative, partition=partition)

    def _order_label(self, keys: list[exp.Expr]) -> str:
        """The label that sorts the rows, upwards."""
        by = self.value(keys[0].this)
        if len(keys) > 1 or keys[0].args.get("desc"):
            raise NotLifted("rows looked at downwards")
        label = self.label_of(by)
        if not self.ascends(by):
            raise NotLifted("rows sorted by a figure")
        return label

    def _earlier(self, function: exp.Expr, parts: list[exp.Expr], keys: list[exp.Expr]) -> Expr:
        if isinstance(function, exp.Lead) or function.args.get("default") is not None or not keys:
            raise NotLifted("following rows" if isinstance(function, exp.Lead) else "earlier rows")
        back = number_of(function.args.get("offset")) if function.args.get("offset") is not None else 1
        partition = tuple(self.label_of(self.value(part)) for part in parts)
        label = self._order_label(keys)
        span = None if back in (None, 1) else int(back or 1)
        return Window(fn="previous", of=self.value(function.this), partition=partition, order=label, span=span)

    def _running(
        self,
        function: exp.Expr,
        parts: list[exp.Expr],
        keys: list[exp.Expr],
        spec: exp.Expr | None,
    ) -> Expr:
        back = _frame(spec)
        if isinstance(function, exp.Sum) and back is None:
            fn: WindowName = "running_total"
        elif isinstance(function, exp.Avg) and back is not None:
            fn = "moving_average"
        else:
            raise NotLifted(f"running {type(function).__name__}")
        values = [self.value(part) for part in parts]
        if spec is None and not self.tells_apart([*values, self.value(keys[0].this)]):
            raise NotLifted("running total over rows that tie")
        partition = tuple(self.label_of(value) for value in values)
        label = self._order_label(keys)
        span = back + 1 if back is not None else None
        return Window(fn=fn, of=self.numeric(function.this), partition=partition, order=label, span=span)

    def _total(self, function: exp.Expr, parts: list[exp.Expr]) -> Expr:
        """A figure over all rows, or over those of the same part, beside each row."""
        if len(parts) > 1:
            raise NotLifted("total of several parts")
        query = self.rows_query(function, parts)
        return ScalarQuery(query=query, own=self.value(parts[0]) if parts else None)


def factors(e: exp.Expr) -> tuple[list[exp.Expr], list[exp.Expr]]:
    """What is multiplied, and what it is divided by."""
    e = uncast(e)
    if isinstance(e, exp.Mul | exp.Div):
        (a, b), (c, d) = factors(e.left), factors(e.right)
        return (a + c, b + d) if isinstance(e, exp.Mul) else (a + d, b + c)
    if isinstance(e, exp.Nullif) and number_of(e.expression) == 0:
        return factors(e.this)
    return [e], []


def _frame(spec: exp.Expr | None) -> int | None:
    """How many rows before the own one are looked at; None for all of them."""
    if spec is None:
        return None
    start, end = spec.args.get("start"), spec.args.get("end")
    if str(spec.args.get("end_side") or "") or (end is not None and str(end) != "CURRENT ROW"):
        raise NotLifted("frame of following rows")
    if str(start) == "UNBOUNDED":
        return None
    count = number_of(start) if isinstance(start, exp.Expr) else None
    if count is None:
        raise NotLifted("frame of a window")
    return int(count)
