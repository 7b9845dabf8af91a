"""Tokens of what a model is told, by the number of tables; and which form of a reply is shorter, SQL or the plan.

Tokens are estimated (`tokens.py`). PROMPTS_FOLDER names a folder of questions; only open ones are read. Databases
are put together where fifteen tables are wanted, because few offices upload so many at once.
"""

from __future__ import annotations

import json
import os
import statistics
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from apps.analyst.approaches.models import prompt
from apps.analyst.approaches.models.rules import SYSTEM
from apps.analyst.approaches.models.tokens import estimated_tokens
from apps.analyst.evaluate.catalogs import cached_catalog
from apps.analyst.evaluate.gold_sql import questions
from apps.analyst.plan.lift import NotLifted, lift
from apps.analyst.types import Question

FOLDER = Path(os.environ.get("PROMPTS_FOLDER", "../shared/evals/office"))
A_DATABASE = 5
"""Questions of each database."""
MOST = {5: 2_500, 15: 6_000}
"""Tokens at most, at the median, by tables (issue 18)."""
TODAY = date(2026, 1, 1)


def run(folder: Path) -> None:
    by_tables: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for item in questions(FOLDER):
        by_tables.setdefault(tuple(item["tables"]), []).append(item)
    print(f"rules: {estimated_tokens(SYSTEM):,} tokens")
    sets = [(list(tables), items) for tables, items in by_tables.items()]
    for count in (1, 3, 5, 15):
        chosen = _merged(sets, count) if count > 5 else [one for one in sets if len(one[0]) == count]
        sizes = sorted(size for tables, items in chosen for size in _sizes(tables, items, folder))
        most = f" (at most {MOST[count]:,})" if count in MOST else ""
        print(
            f"{count:>3} tables: median {statistics.median(sizes):,.0f}{most}, most {sizes[-1]:,}, {len(sizes)} prompts"
        )
    _forms(sets, folder)


def _merged(sets: Sequence[tuple[list[str], list[dict[str, Any]]]], count: int) -> list[tuple[list[str], list[Any]]]:
    """Databases side by side until there are `count` tables."""
    made: list[tuple[list[str], list[Any]]] = []
    tables: list[str] = []
    items: list[Any] = []
    for more, asked in sets:
        names = {Path(table).stem for table in tables}
        if any(Path(table).stem in names for table in more):
            continue
        tables, items = [*tables, *more], [*items, *asked[:1]]
        if len(tables) >= count:
            made.append((tables[:count], items))
            tables, items = [], []
    return made


def _sizes(tables: list[str], items: Sequence[dict[str, Any]], store: Path) -> list[int]:
    catalog = cached_catalog(FOLDER, tables, store)
    asked = (Question(str(item["question"]), today=TODAY) for item in items[:A_DATABASE])
    return [estimated_tokens(SYSTEM + prompt.asked(question, catalog)) for question in asked]


def _forms(sets: Sequence[tuple[list[str], list[dict[str, Any]]]], store: Path) -> None:
    """The gold queries as SQL and as the plans they become."""
    queries: list[int] = []
    plans: list[int] = []
    for tables, items in sets:
        catalog = cached_catalog(FOLDER, tables, store)
        for item in items[:A_DATABASE]:
            try:
                plan = lift(item["sql"], catalog, TODAY)
            except NotLifted:
                continue
            queries.append(estimated_tokens(json.dumps({"sql": item["sql"]})))
            plans.append(estimated_tokens(_as_reply(plan)))
    told = f"as SQL {statistics.median(queries):.0f} tokens (most {max(queries)})"
    print(f"a reply: {told}, as a plan {statistics.median(plans):.0f} (most {max(plans)}), {len(plans)} queries")


def _as_reply(plan: Any) -> str:
    """A plan as a model has to write it: with the kind of each node, without what stands by default."""
    bare = plan.model_dump(mode="json", exclude_defaults=True)
    return json.dumps(_with_kinds(bare, plan.model_dump(mode="json")), separators=(",", ":"))


def _with_kinds(bare: Any, whole: Any) -> Any:
    if isinstance(bare, dict):
        kind = {"kind": whole["kind"]} if isinstance(whole, dict) and "kind" in whole else {}
        return {**kind, **{name: _with_kinds(part, whole[name]) for name, part in bare.items()}}
    if isinstance(bare, list):
        return [_with_kinds(one, other) for one, other in zip(bare, whole, strict=True)]
    return bare
