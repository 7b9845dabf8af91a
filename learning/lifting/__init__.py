"""From the SQL of a question to the reader's sketch, with what it names written out (tables, columns, values, dates).

Only forms that the sketch can say are lifted; everything else raises NotLifted with the reason. Sources: the queries of
open question sets, each written in its author's own style. The product's own `apps.analyst.plan.lift` makes plans,
which say more than a sketch can and from which no way leads back to one.
"""

from __future__ import annotations

from learning.lifting.queries import Lifter
from learning.lifting.sketches import NotLifted

__all__ = ["Lifter", "NotLifted"]
