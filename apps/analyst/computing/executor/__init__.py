"""The second, independent executor: the same plans over data frames. Two ways that agree are a reason to trust both.

It shares the algebra's rules (types, order, which rows a join repeats) with the compiler, and none of its computing.
"""

from __future__ import annotations

from apps.analyst.computing.executor.plans import execute
from apps.analyst.computing.executor.scans import Frames, load, load_table

__all__ = ["Frames", "execute", "load", "load_table"]
