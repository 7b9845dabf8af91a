"""What a model replies is read as it was meant where only its form is off, else refused with the right form."""

from __future__ import annotations

import json
from typing import Any

import pytest

from apps.analyst.approaches.models.days import with_days
from apps.analyst.approaches.models.grammar import nodes, shape
from apps.analyst.approaches.models.replies import Sql, WrongForm, plan_of
from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.computing.warehouse.gate import check
from apps.analyst.errors import PlanRejected, Unclear
from apps.analyst.plan import Aggregate, Query
from apps.analyst.tables.catalog import FixedCatalog

AMOUNT = {"kind": "column", "table": "deals", "column": "amount"}


def one_figure(expr: dict[str, Any], **more: Any) -> str:
    measures = [{"label": "Figure", "expr": expr}]
    return json.dumps({"kind": "query", "source": "deals", "measures": measures, **more})


def day(name: str) -> dict[str, Any]:
    return {"kind": "column", "table": "deals", "column": name}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ({"op": "sum"}, "sum"),
        ({"name": "max"}, "max"),
        ({"function": "min"}, "min"),
        ({"fn": "mean"}, "avg"),
        ({"op": "average"}, "avg"),
    ],
)
def test_fn_op_and_name_are_taken_for_one_another(written: dict[str, str], meant: str) -> None:
    plan = plan_of(one_figure({"kind": "aggregate", "of": AMOUNT, **written}))
    assert isinstance(plan, Query)
    (measure,) = plan.measures
    assert isinstance(measure.expr, Aggregate)
    assert measure.expr.fn == meant


def test_a_literal_needs_no_type_and_equality_may_be_written_as_in_programs() -> None:
    where = {"kind": "compare", "op": "==", "left": AMOUNT, "right": {"kind": "constant", "value": 100.0}}
    plan = plan_of(one_figure({"kind": "aggregate", "fn": "count"}, where=where))
    assert isinstance(plan, Query)
    told = plan.model_dump()["where"]
    assert (told["op"], told["right"]["type"]) == ("=", "number")


@pytest.mark.parametrize(
    "reply",
    [
        "SELECT count(*) FROM deals;",
        "```sql\nSELECT count(*) FROM deals\n```",
        '{"sql": "SELECT count(*) FROM deals", "statistic": null, "unclear": null}',
        'Here it is: {"sql": "SELECT count(*) FROM deals;"}',
    ],
)
def test_a_query_may_stand_alone_in_a_fence_or_beside_empty_fields(reply: str) -> None:
    assert plan_of(reply) == Sql("SELECT count(*) FROM deals")


def test_a_query_may_run_over_several_lines_within_its_json() -> None:
    assert plan_of('{"sql": "SELECT count(*)\nFROM deals"}') == Sql("SELECT count(*)\nFROM deals")


def test_a_reason_why_there_is_no_plan_goes_before_an_empty_query() -> None:
    with pytest.raises(Unclear, match="no such column"):
        plan_of('{"sql": null, "unclear": "There is no such column."}')


@pytest.mark.parametrize(
    ("reply", "node"),
    [
        (one_figure({"kind": "aggregat", "fn": "count"}), "aggregate"),
        (one_figure({"kind": "aggregate", "fn": "total"}), "aggregate"),
        (one_figure({"kind": "call", "name": "abs"}), "call"),
        (one_figure({"kind": "aggregate", "fn": "count"}, joins=[{"table": "owners"}]), "join"),
        (one_figure({"kind": "aggregate", "fn": "count"}, limit="all"), "query"),
    ],
)
def test_what_cannot_be_read_goes_back_with_the_node_as_it_is_written(reply: str, node: str) -> None:
    with pytest.raises(WrongForm) as refused:
        plan_of(reply)
    assert refused.value.shape == shape(node) != ""
    assert refused.value.shape not in refused.value.message, "people are told the reason alone"


def test_words_without_a_plan_are_answered_with_the_form_of_a_reply() -> None:
    with pytest.raises(WrongForm) as refused:
        plan_of("Sure! Here you go.")
    assert refused.value.shape == '{"sql":"SELECT ..."}'


def test_the_grammar_is_made_of_the_types_and_names_every_kind_of_node() -> None:
    kinds = [kind for kind, node in nodes().items() if "kind" in node.model_fields]
    assert kinds
    assert all(f'"kind":"{kind}"' in shape(kind) for kind in kinds)
    assert (
        shape("period")
        == '{"kind":"period","grain":"hour|day|week|month|quarter|year","of":EXPR,"first_month"?:NUMBER}'
    )
    assert shape("no such node") == ""


@pytest.mark.parametrize("nested", [False, True], ids=["plain", "over a query"])
def test_a_date_minus_a_date_is_days(nested: bool, sales: FixedCatalog, warehouse: LocalWarehouse) -> None:
    source: Any = "deals"
    left, right = day("close_date"), day("create_date")
    if nested:
        columns = [{"label": name, "expr": day(name)} for name in ("close_date", "create_date")]
        source = {"kind": "query", "source": "deals", "columns": columns}
        left, right = ({**one, "table": ""} for one in (left, right))
    apart = {"kind": "arithmetic", "op": "-", "left": left, "right": right}
    plan = with_days(plan_of(one_figure({"kind": "aggregate", "fn": "avg", "of": apart}, source=source)), sales)  # type: ignore[type-var]
    paths = {table.name: table.path for table in sales.tables()}
    sql = "SELECT avg(close_date - create_date) FROM deals"
    wanted = warehouse.query(sql, (), tables=paths, max_rows=1, timeout=5)
    assert compute(plan, sales, warehouse).result.rows[0][0] == pytest.approx(wanted.rows[0][0])


@pytest.mark.parametrize("literal", ["100.0", "0.5", "1e3", "CAST(1 AS DECIMAL(10, 2))"])
def test_decimals_pass_the_gate(literal: str) -> None:
    check(f"SELECT {literal} * count(*) FROM deals", ["deals"])


def test_a_function_that_is_not_allowed_is_refused_with_those_that_are_like_it() -> None:
    with pytest.raises(PlanRejected, match=r"'stdev' is not allowed.*stddev"):
        check("SELECT stdev(amount) FROM deals", ["deals"])
