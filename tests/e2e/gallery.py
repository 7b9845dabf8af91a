"""Made-up threads, served in the place of the API's answer: charts of every kind, checked answers, long threads.

What the screens do with such messages is theirs alone; that the product makes such messages is asserted elsewhere.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator, Sequence
from typing import Any

from playwright.sync_api import Page, Route

from apps.core import deep_json

THREAD = "00000000-0000-4000-8000-00000000abcd"
ADDRESS = f"/chat/c/{THREAD}"
TYPES = ("line", "scatter", "bar", "pie", "doughnut", "radar", "polarArea")
Json = dict[str, Any]


def message(number: int, role: str, content: str, **more: Any) -> Json:
    """A message as the API answers it; `children` hang on to it."""
    return {
        "message_id": f"{role}-{number}",
        "run_id": f"run-{number}",
        "parent_message_id": None,
        "role": role,
        "content": content,
        "type": "text",
        "message_type": None,
        "model": "builtin" if role == "assistant" else None,
        "created_at": time.time() - 3600 + number,
        "image_data": None,
        "since_refreshed_files": None,
        "metadata": {
            "is_thumbs_up": None,
            "is_selected_assistant": role == "assistant",
            "is_best_answer": None,
            "consensus_group": None,
            "reasoning_trace": None,
        },
        "output_files": [],
        "user_specified_files": [],
        "answer": None,
        "children": [],
        **more,
    }


def turns(pairs: Sequence[tuple[str, Json]]) -> list[Json]:
    """One conversation: each question is the child of the answer before it."""
    roots: list[Json] = []
    place = roots
    for number, (question, answer) in enumerate(pairs):
        answered = message(number, "assistant", **answer)
        place.append(message(number, "user", question, children=[answered]))
        place = answered["children"]
    return roots


def serve_thread(page: Page, messages: list[Json], **more: Any) -> None:
    """The thread at ADDRESS holds these messages and stays as it is; everything else is asked of the real server."""
    thread = {
        "thread_id": THREAD,
        "status": "completed",
        "messages": messages,
        "since_refreshed_files": [],
        "run": None,
        "validation": None,
        **more,
    }

    runs = {one["run_id"]: one for one in (thread["run"], thread["validation"]) if one}

    def answer(route: Route) -> None:
        asked = route.request.post_data_json or {}
        if asked.get("thread_id") == THREAD and set(asked) == {"thread_id"}:
            route.fulfill(body=deep_json.dumps(thread), content_type="application/json")
        elif asked.get("run_id") in runs:
            route.fulfill(json=runs[asked["run_id"]])
        else:
            route.fallback()

    page.route("**/api/v3/ask", answer)


# ------------------------------------------------------------------------------------------------------------- charts
def chart(name: str, content: Json) -> Json:
    """An answer that is a chart."""
    kind = {"mime_type": "application/vnd.chart+json", "encoding": "plain"}
    file = {"filename": f"{name}.json", "content": json.dumps(content), **kind}
    return {"content": f"**{name[0].upper()}{name[1:]}**", "output_files": [file]}


def wave(count: int, phase: float = 0.0) -> list[float]:
    """Figures that look like sales: a trend with a season on it."""
    return [round(40_000 + 900 * at + 15_000 * math.sin(at / 2 + phase), 2) for at in range(count)]


def points(xs: Sequence[Any], ys: Sequence[Any]) -> list[Json]:
    return [{"x": x, "y": y} for x, y in zip(xs, ys, strict=True)]


def one_set(labels: Sequence[Any], data: Sequence[Any], kind: str = "bar", **more: Any) -> Json:
    return {
        "type": kind,
        "title": "Won deals",
        "labels": labels,
        "datasets": [{"label": "Amount", "data": data, "unit": "USD"}],
        **more,
    }


MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
LONG = [
    f"{name} Handelsgesellschaft für industrielle Armaturen mbH & Co. KG"
    for name in ("Bauer", "Hansen", "Nowak", "Rossi")
]
AXES = {"xAxisTitle": "Month", "yAxisTitle": "Amount (USD)"}


def each_type() -> Iterator[tuple[str, Json]]:
    """The seven types on data that suits them, with three series where there can be several."""
    for kind in TYPES:
        several = kind not in ("pie", "doughnut", "polarArea")
        names = ("Nordics", "Iberia", "Benelux") if several else ("Amount",)
        count = 6 if kind in ("radar", "pie", "doughnut", "polarArea") else 12
        sets: list[Json] = [{"label": name, "data": wave(count, at), "unit": "USD"} for at, name in enumerate(names)]
        if kind == "scatter":
            sets = [
                {
                    "label": name,
                    "unit": "USD",
                    "data": [{"x": x / 7, "y": y} for x, y in zip(wave(40, at), wave(40, at + 1), strict=True)],
                }
                for at, name in enumerate(names[:2])
            ]
        yield (
            "polar area chart" if kind == "polarArea" else f"{kind} chart",
            {
                "type": kind,
                "title": "Amount by list price" if kind == "scatter" else "Won deals by month",
                **({} if kind == "scatter" else {"labels": MONTHS[:count]}),
                "datasets": sets,
                "options": {**AXES, "xAxisTitle": "List price (USD)"} if kind == "scatter" else AXES,
            },
        )


def hard_cases() -> Iterator[tuple[str, Json]]:
    """What charts must survive: one and many categories, long names, signs, gaps, times in every notation."""
    for count in (1, 7, 50, 400):
        name = "1 category" if count == 1 else f"{count} categories"
        yield name, one_set([f"Owner {at}" for at in range(count)], wave(count))
    yield "Long labels", one_set(LONG, wave(4))
    yield "Horizontal with long labels", one_set(LONG, wave(4), options={"indexAxis": "y"})
    yield "Negative figures", one_set(MONTHS, [v - 60_000 for v in wave(12)])
    yield "One point", one_set(["Jan"], [42], "line")
    yield "Gaps", one_set(MONTHS, [v if at % 3 else None for at, v in enumerate(wave(12))], "line")
    yield "No data", one_set([], [])
    yield "Ranges", one_set(MONTHS[:6], [[v, v + 20_000] for v in wave(6)])
    stacked = {"scales": {"x": {"stacked": True}, "y": {"stacked": True}}}
    yield "Stacked", {
        "type": "bar", "title": "Won deals by type", "labels": MONTHS,
        "datasets": [
            {"label": name, "data": wave(12, at), "unit": "USD"} for at, name in enumerate(("New", "Renewal", "Upsell"))
        ],
        "options": stacked,
    }  # fmt: skip
    yield "Twelve series", {
        "type": "line", "title": "Amount by owner", "labels": MONTHS,
        "datasets": [{"label": f"Owner {at + 1}", "data": wave(12, at / 3), "unit": "USD"} for at in range(12)],
    }  # fmt: skip
    start = 1_767_225_600_000  # 2026-01-01
    for digits, factor in ((13, 1), (16, 1_000), (19, 1_000_000)):
        times = [(start + at * 86_400_000) * factor for at in range(12)]
        yield f"Epochs of {digits} digits", {
            "type": "line", "title": "Won deals by day",
            "datasets": [{"label": "Amount", "unit": "USD", "data": points(times, wave(12))}],
        }  # fmt: skip
    dates = [f"2026-{month:02d}-01" for month in range(1, 13)]
    yield "Dates", one_set(dates, wave(12), "line")
    yield (
        "Radial scale",
        one_set(
            MONTHS[:6], [3, 5, 2, 8, 6, 7], "radar", options={"scales": {"r": {"min": 0, "max": 10, "stepSize": 2}}}
        ),
    )
    yield "Not for pies", one_set(MONTHS[:3], [5, -2, 3], "pie")


def chart_thread(cases: Iterator[tuple[str, Json]]) -> list[Json]:
    return turns([(f"Show me {name}", chart(name, content)) for name, content in cases])


# -------------------------------------------------------------------------------------------------- lengths
def answer_parts(text: str, **more: Any) -> Json:
    return {
        "status": "answered", "text": text, "headline": None, "table": None, "assumptions": [], "choices": [],
        "follow_ups": [], "evidence": None, "steps": [], "seconds": None, "approach": "builtin", **more,
    }  # fmt: skip


def table_parts(rows: int, columns: int = 4) -> Json:
    """A table with names, figures, money and gaps."""
    heads = [("Owner", "text", "dimension", None), ("Deals", "integer", "measure", None)]
    heads += [(f"Amount {at}" if at else "Amount", "decimal", "measure", "USD") for at in range(columns - 2)]
    return {
        "columns": [{"name": name, "type": kind, "kind": role, "unit": unit} for name, kind, role, unit in heads],
        "rows": [[f"Owner {at + 1}", (at + 1) * 3, *_money(at, columns - 2)] for at in range(rows)],
        "total_rows": rows,
    }


def _money(row: int, cells: int) -> list[float | None]:
    figure = wave(row + 1)[-1]
    return [None if (row + cell) % 9 == 8 else figure / (cell + 1) for cell in range(cells)]


MODELS = [
    {"id": "builtin", "name": "Built-in analyst", "provider": "builtin", "takes_temperature": False},
    {"id": "writer-4", "name": "OpenAI Writer 4", "provider": "openai", "takes_temperature": True},
    {"id": "thinker-1", "name": "Anthropic Thinker 1", "provider": "anthropic", "takes_temperature": False},
]
LONG_QUESTION = "Compare the won deals of these customers and tell me what stands out.\n" + "\n".join(
    f"{at + 1}. {LONG[at % len(LONG)]}, region {at}" for at in range(16)
)
PROSE = """## What stands out

The **Nordics** grew in every quarter, as [the report](https://example.com/report) says:

1. Renewals came earlier than planned
2. Two large deals moved from *Q3* to *Q2*

| Region | Change |
|---|---|
| Nordics | +12 % |
| Iberia | −3 % |

> Deals without a close date are not counted.

```sql
SELECT region, sum(amount) AS amount FROM deals WHERE stage = 'Closed Won' AND closed >= '2026-01-01' GROUP BY region
```
"""


def hard_turns() -> list[Json]:
    """Messages that a layout must survive: long questions, files, wide and long tables, prose, files to download."""
    figure = {"value": 1_284_300.5, "text": "$1.28M", "label": "Won", "unit": "USD", "change": 0.124,
              "change_text": "+12.4\u00a0% vs Q2", "good_direction": "up"}  # fmt: skip
    files = [
        {"filename": name, "mime_type": kind, "encoding": "plain", "content": "Owner,Amount\n" + "Ana,1200\n" * 60}
        for name, kind in (("won deals.csv", "text/csv"), (f"{LONG[0]} for the year.xlsx", "application/xlsx"))
    ]
    parts = {
        "One figure": answer_parts("The team won $1,284,300.50.", headline=figure, follow_ups=["By owner?", LONG[1]]),
        "Wide": answer_parts("Twelve columns.", table=table_parts(8, 12)),
        "Long": answer_parts("Three hundred rows.", table=table_parts(300)),
        "Prose": answer_parts(PROSE),
        "Files": answer_parts("Here are the files."),
    }
    roots = turns([
        (LONG_QUESTION if name == "One figure" else f"{name}, please",
         {"content": part["text"], "answer": part, "output_files": files if name == "Files" else []})
        for name, part in parts.items()
    ])  # fmt: skip
    roots[0]["user_specified_files"] = ["hubspot_deals.csv", f"{LONG[2]}.csv"]
    refreshed = {"file_name": "hubspot_deals.csv", "time_of_update": time.time()}
    roots[0]["children"][0]["children"][0]["since_refreshed_files"] = [refreshed]
    return roots


def models_listed(route: Route) -> None:
    """The answer of a server with models of two providers, one of which takes no temperature."""
    route.fulfill(json=MODELS)


def long_thread(count: int) -> list[Json]:
    """`count` messages, every tenth answer with a table and every twentieth with a chart."""
    kinds = dict(each_type())

    def answer(at: int) -> Json:
        if at % 20 == 19:
            return chart(f"chart {at}", kinds["bar chart"])
        said = f"In month {at} the team won **{at * 7} deals**, worth ${at * 1_000:,}."
        parts = answer_parts(said, table=table_parts(8)) if at % 10 == 9 else None
        return {"content": said, "answer": parts}

    return turns([(f"How did month {at} go?", answer(at)) for at in range(count // 2)])
