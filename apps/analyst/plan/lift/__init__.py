"""SQL becomes a plan: one SELECT is parsed and written in the plan algebra, so that it is validated, computed, worded,
drawn and checked like any plan. What the algebra cannot say is NotLifted, with the reason; nothing is guessed.
"""

from __future__ import annotations

from datetime import date

from apps.analyst.errors import AnalystError
from apps.analyst.plan import Plan
from apps.analyst.plan.lift.queries import Queries
from apps.analyst.plan.lift.reasons import NotLifted
from apps.analyst.plan.lift.scans import Desk
from apps.analyst.plan.lift.syntax import parsed
from apps.analyst.plan.validate import validate
from apps.analyst.ports import Catalog

__all__ = ["NotLifted", "lift"]


def lift(sql: str, catalog: Catalog, today: date | None = None) -> Plan:
    """The plan that says what `sql` says, held against the catalog. Raises NotLifted with the reason."""
    try:
        plan = Queries(Desk(catalog, today), {}).plan(parsed(sql))
        validate(plan, catalog)
    except AnalystError as error:
        raise NotLifted(f"does not fit: {error.message}") from error
    except RecursionError as error:
        raise NotLifted("nested too deep") from error
    return plan
