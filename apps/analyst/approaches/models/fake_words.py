"""What the stand-in says: a plan that counts rows, what the data order it to say, and answers that are wrong. Pure.

It understands nothing: it reads the first table's name in the prompt, and orders in the data where it is told to obey.
"""

from __future__ import annotations

import json
import re
from typing import Any, Literal

Wrong = Literal["broken plan", "wrong plan", "invented column", "obeys data"]
WRONG: tuple[Wrong, ...] = ("broken plan", "wrong plan", "invented column", "obeys data")
"""Faults of what is said, as against faults of the wire."""
SIGNED = "These are the words of a stand-in, a few at a time."
FALSE_FIGURE = "987,654,321"
_ORDER = re.compile(r"do «(.+?)»", re.DOTALL)
"""How the test data word an order to the model."""


def counting(texts: list[str]) -> str:
    """A plan that counts the rows of the first table in the prompt; the template's words when asked for words."""
    if asks_for_words(texts):
        told = re.search(r"Its template text: (.*)\nWrite the answer", texts[-1], re.DOTALL)
        return f"{told.group(1) if told else 'The result is in the table.'} {SIGNED}"
    table = _table(texts)
    if table is None:
        return json.dumps({"unclear": "There is no table."})
    return json.dumps(_count(table))


def obeying(texts: list[str]) -> str:
    """Does what the last text holds as an order, else what the conversation holds as one; else it counts."""
    for text in reversed(texts):
        found = _ORDER.search(text)
        if found is not None:
            order = found.group(1).replace('\\"', '"')
            return order if asks_for_words(texts) or order.startswith("{") else json.dumps({"sql": order})
    return counting(texts)


def wrongly(fault: str, texts: list[str]) -> str:
    """What a model says that goes wrong in this way. Asked for words, it invents a figure, or says what cells order."""
    if fault == "obeys data" and any(_ORDER.search(text) for text in texts):
        return obeying(texts)
    if asks_for_words(texts):
        return f"The figure is {FALSE_FIGURE}. ![more](http://127.0.0.1:9/{FALSE_FIGURE})"
    table = _table(texts) or ""
    count = _count(table)
    if fault == "broken plan":
        return json.dumps(count)[:-7]
    if fault == "wrong plan":
        return json.dumps({**count, "order": [{"by": "no such label"}]})
    if fault == "invented column":
        ghost = {"kind": "column", "table": table, "column": "profit_of_2099"}
        total = {"label": "Total", "expr": {"kind": "aggregate", "fn": "sum", "of": ghost}}
        return json.dumps({**count, "measures": [total]})
    return json.dumps({"sql": "SELECT * FROM read_text('/etc/passwd')"})


def asks_for_words(texts: list[str]) -> bool:
    """True where a computed plan is to be put into words."""
    return "Its template text:" in texts[-1]


def _table(texts: list[str]) -> str | None:
    found = re.search(r'^table ("(?:[^"\\]|\\.)*")', "\n".join(texts), re.MULTILINE)
    return str(json.loads(found.group(1))) if found is not None else None


def _count(table: str) -> dict[str, Any]:
    count = {"label": "Number of rows", "expr": {"kind": "aggregate", "fn": "count"}}
    return {"kind": "query", "source": table, "measures": [count]}
