"""Why a query is no plan. One exception with one short reason, so that reasons can be counted."""

from __future__ import annotations


class NotLifted(Exception):
    """The query says what the plan algebra cannot. `reason` is short and names the form, not the query."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
