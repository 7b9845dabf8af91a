"""The template narrator: results in plain sentences. It quotes figures, it never makes one up."""

from __future__ import annotations

from apps.analyst.telling.narrate.gaps import lines_told, missing_values
from apps.analyst.telling.narrate.headers import headed
from apps.analyst.telling.narrate.headline import headline
from apps.analyst.telling.narrate.story import look_alikes, story
from apps.analyst.telling.narrate.view import View

__all__ = ["View", "headed", "headline", "lines_told", "look_alikes", "missing_values", "story"]
