"""The gate in front of SQL that a model wrote: one SELECT, checked on the engine's own parse tree with allow-lists.

Only what is named here passes: kinds of nodes, functions, and the tables of the run. It is the first of three layers;
behind it stand the locked settings of the session and the child process that can reach nothing else. Names are compared
as the engine compares them, by ASCII case alone: what Python folds into one may be another object to the engine.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from typing import Any

import duckdb

from apps.analyst.errors import PlanRejected
from apps.analyst.tables.reserved import is_engine_name, same_to_engine

MOST_TEXT = 20_000
MOST_NODES = 4_000


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NODES = _words(
    "ASCENDING BASE_TABLE CASE_EXPR COLUMN_REF COMPARE_BETWEEN COMPARE_DISTINCT_FROM COMPARE_EQUAL "
    "COMPARE_GREATERTHAN COMPARE_GREATERTHANOREQUALTO COMPARE_IN COMPARE_LESSTHAN COMPARE_LESSTHANOREQUALTO "
    "COMPARE_NOTEQUAL COMPARE_NOT_BETWEEN COMPARE_NOT_DISTINCT_FROM COMPARE_NOT_IN CONJUNCTION_AND CONJUNCTION_OR "
    "DESCENDING DISTINCT_MODIFIER EMPTY FUNCTION GROUPING_FUNCTION JOIN LIMIT_MODIFIER OPERATOR_CAST OPERATOR_COALESCE "
    "OPERATOR_IS_NOT_NULL OPERATOR_IS_NULL OPERATOR_NOT OPERATOR_NULLIF ORDER_DEFAULT ORDER_MODIFIER SELECT_NODE "
    "SET_OPERATION_NODE STAR SUBQUERY VALUE_CONSTANT WINDOW_AGGREGATE WINDOW_CUME_DIST WINDOW_FIRST_VALUE WINDOW_LAG "
    "WINDOW_LAST_VALUE WINDOW_LEAD WINDOW_NTH_VALUE WINDOW_NTILE WINDOW_PERCENT_RANK WINDOW_RANK WINDOW_RANK_DENSE "
    "WINDOW_ROW_NUMBER"
)
"""All kinds of nodes that may stand in a tree. Table functions, recursion, lambdas, lists and SHOW are none of them."""
_FUNCTIONS = _words(
    "!~~ !~~* % * ** + - / // abs any_value arg_max arg_min avg bool_and bool_or cbrt ceil ceiling char_length "
    "character_length coalesce concat concat_ws contains corr count count_if count_star covar_pop covar_samp "
    "cume_dist date_add date_diff date_part date_sub date_trunc datediff datepart datetrunc day dayname dayofweek "
    "dayofyear dense_rank ends_with epoch exp first first_value floor greatest hour isfinite isnan isodow kurtosis "
    "lag last last_day last_value lcase lead least left len length like_escape ln log log10 log2 lower ltrim mad "
    "make_date make_timestamp max max_by mean median min min_by minute mod mode month monthname nth_value ntile "
    "nullif percent_rank position pow power prefix quantile_cont quantile_disc quarter rank regexp_extract "
    "regexp_full_match regexp_matches regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope replace "
    "reverse right round row_number rtrim second sign skewness split_part sqrt starts_with stddev stddev_pop "
    "stddev_samp strftime strip_accents strlen strpos strptime substr substring suffix sum sum_no_overflow to_days "
    "to_months to_quarters to_weeks to_years trim trunc try_strptime ucase upper var_pop var_samp variance week "
    "weekday weekofyear year yearweek || ~~ ~~*"
)
_TYPE_DETAILS = _words("DECIMAL_TYPE_INFO")
"""What may stand beside a type: how many digits a decimal has. Enumerations, lists and structs have other details."""
_CLOCKS = _words("current_timestamp current_time localtime localtimestamp")
_ZONED = _words("TIMESTAMP_WITH_TIME_ZONE TIME_WITH_TIME_ZONE")
_SCHEMAS = (None, "", "main")
"""EXTRACT is written out as main.date_part; nothing but the engine's own functions stands there."""
_SPECIAL = _words("current_user session_user current_role current_schema current_catalog current_database")
"""Names that look like columns and are functions."""
_lock = threading.Lock()
_parser: duckdb.DuckDBPyConnection | None = None


def check(sql: str, tables: Collection[str]) -> frozenset[str]:
    """Those of `tables` that a query reads. Raises PlanRejected, with the reason, for anything but one SELECT over them
    with allowed functions."""
    if len(sql) > MOST_TEXT or "\x00" in sql:
        raise PlanRejected("The query is too long.")
    names = frozenset(same_to_engine(table) for table in tables if not is_engine_name(table))
    read = set[str]()
    for count, (node, known) in enumerate(_nodes(_tree(sql), names)):
        if count >= MOST_NODES:
            raise PlanRejected("The query is too large.")
        _node(node, known, names)
        if node.get("type") == "BASE_TABLE":
            read.add(same_to_engine(str(node["table_name"])))
    return frozenset(table for table in tables if same_to_engine(table) in read)


def _tree(sql: str) -> dict[str, Any]:
    """The engine's parse tree of exactly one SELECT."""
    global _parser
    with _lock:
        if _parser is None:
            _parser = duckdb.connect(":memory:", config={"autoload_known_extensions": "false", "threads": "1"})
            _parser.execute("SET enable_external_access = false")
            _parser.execute("SET lock_configuration = true")
        try:
            statements = _parser.extract_statements(sql)
            found = _parser.execute("SELECT json_serialize_sql(?::VARCHAR)", [sql]).fetchone()
        except duckdb.Error as error:
            raise PlanRejected(f"The query cannot be read: {str(error).splitlines()[0][:200]}") from error
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise PlanRejected("Only one SELECT can be run.")
    try:
        tree: dict[str, Any] = json.loads(found[0]) if found else {"error": True}
    except RecursionError as error:
        raise PlanRejected("The query is nested too deep.") from error
    if tree.get("error") or len(tree.get("statements", ())) != 1:
        raise PlanRejected("Only one plain SELECT can be run.")
    return tree


def _nodes(value: Any, known: frozenset[str], depth: int = 0) -> Iterator[tuple[dict[str, Any], frozenset[str]]]:
    """All nodes, each with the names that stand for tables where it stands: the run's own, and the common table
    expressions in scope there. One is in scope behind itself, not within: inside, its name is that of a stored table,
    or of the engine's own catalogue.
    """
    if depth > 200:
        raise PlanRejected("The query is nested too deep.")
    if isinstance(value, list):
        for part in value:
            yield from _nodes(part, known, depth + 1)
    elif isinstance(value, dict):
        for named in (value.get("cte_map") or {}).get("map", ()):
            yield from _nodes(named["value"], known, depth + 2)
            known |= {same_to_engine(str(named["key"]))}
        yield value, known
        for key, part in value.items():
            if key != "cte_map":
                yield from _nodes(part, known, depth + 1)


def _node(node: dict[str, Any], known: Collection[str], tables: Collection[str]) -> None:
    if node.get("sample"):
        raise PlanRejected("A sample of rows is not allowed in a query: its figures would change from run to run.")
    kind = node.get("type")
    if not isinstance(kind, str):
        return
    if kind in _TYPE_DETAILS and "class" not in node:
        return
    if kind not in _NODES:
        raise PlanRejected(f"{kind.replace('_', ' ').capitalize()} is not allowed in a query.")
    if kind == "BASE_TABLE":
        named = same_to_engine(str(node.get("table_name", "")))
        elsewhere = node.get("schema_name") or node.get("catalog_name")
        if elsewhere or named not in known:
            raise PlanRejected(f"There is no table {node.get('table_name')!r}. Tables: {', '.join(sorted(tables))}.")
    if kind == "COLUMN_REF" and same_to_engine(str(node.get("column_names", [""])[0])) in _SPECIAL:
        raise PlanRejected("The session's own values are not allowed in a query.")
    if kind == "COLUMN_REF" and _alone(node) in _CLOCKS:
        raise PlanRejected("A query knows no present moment: write the day or the time itself.")
    if kind == "OPERATOR_CAST" and str((node.get("cast_type") or {}).get("id", "")).replace(" ", "_") in _ZONED:
        raise PlanRejected("Moments have no time zone here: cast to TIMESTAMP instead.")
    if node.get("class") in ("FUNCTION", "WINDOW"):
        name = same_to_engine(str(node.get("function_name", "")))
        if name not in _FUNCTIONS or node.get("schema") not in _SCHEMAS or node.get("catalog"):
            near = get_close_matches(name, sorted(_FUNCTIONS), 4)
            instead = f" Allowed are {', '.join(near)}." if near else ""
            raise PlanRejected(f"The function {name!r} is not allowed.{instead}")


def _alone(node: dict[str, Any]) -> str:
    """The name of a column without a table in front, as the engine compares it."""
    names = node.get("column_names") or []
    return same_to_engine(str(names[0])) if len(names) == 1 else ""
