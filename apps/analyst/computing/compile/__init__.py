"""Plans as parameterised DuckDB SQL: `compile_plan` is the way in."""

from __future__ import annotations

from apps.analyst.computing.compile.plans import Compiled, compile_plan, readable

__all__ = ["Compiled", "compile_plan", "readable"]
