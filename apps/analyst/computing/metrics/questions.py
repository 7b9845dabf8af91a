"""Questions a sales team starts with and goes on to, by the kind of table they are about."""

from __future__ import annotations

from apps.analyst.computing.metrics.roles import find
from apps.analyst.ports import Catalog
from apps.analyst.types import Table

_BY_KIND: dict[str, tuple[str, ...]] = {
    "deals": (
        "What is our win rate by owner this year?",
        "What is the total amount of open deals by stage?",
        "How does the amount of won deals this quarter compare with last quarter?",
        "What are our 10 largest open deals?",
        "What was the total amount of won deals in each of the last 12 months?",
        "Which open deals are at risk?",
        "Who are the top 5 owners by amount of won deals this year?",
        "What is our win rate by quarter?",
        "Why did we lose deals this year?",
        "What is the average sales cycle of won deals by quarter?",
        "How many deals were created each month this year?",
        "What is the weighted pipeline by stage?",
        "What is the average deal size by quarter?",
    ),
    "targets": (
        "What is the target attainment of each owner this quarter?",
        "How much did we win against target in each quarter this year?",
        "Which owners were below target last quarter?",
        "What is our pipeline coverage this quarter?",
    ),
    "meetings": (
        "How many meetings did each owner hold last month?",
        "How many meetings were held each month over the last 12 months?",
        "How many meetings are there by outcome?",
    ),
    "emails": (
        "How many emails were sent each month over the last 12 months?",
        "How many emails did each owner send last month?",
        "Which 10 companies got the most emails this year?",
    ),
    "tickets": (
        "How many open tickets are there by priority?",
        "How many tickets were created each month this year?",
        "Which 10 companies have the most open tickets?",
    ),
    "companies": (
        "How many customers churned in each quarter?",
        "What is our churn rate this year?",
        "Which customers churned this year?",
        "How many new customers did we win each quarter this year?",
    ),
    "contacts": ("How many contacts were created each month this year?", "Which 10 companies have the most contacts?"),
    "owners": (),
}


def sales_questions(catalog: Catalog, table: Table | None = None) -> tuple[str, ...] | None:
    """Questions about a table of a CRM, or to start with about all of them; None where it is no such table."""
    crm = find(catalog)
    if crm is None:
        return None
    if table is not None:
        kind = next((kind for kind, entity in crm.entities.items() if entity.table.name == table.name), None)
        return _BY_KIND[kind] if kind is not None else None
    present = [questions for kind, questions in _BY_KIND.items() if crm.get(kind) is not None]
    deals, others = present[0], present[1:]
    mixed = [question for layer in range(2) for questions in others for question in questions[layer : layer + 1]]
    return (
        tuple(question for pair in zip(deals, mixed, strict=False) for question in pair)
        + deals[len(mixed) :]
        + tuple(mixed[len(deals) :])
    )
