"""The built-in approaches: what they are called, and how far each is trusted where several agree."""

from __future__ import annotations

BUILTIN, FRAMES, SHEET, MEMORY = "builtin", "frames", "sheet", "memory"
RULES, LEARNED, NEXT, OTHERWISE = "rules", "learned", "next", "otherwise"

NAMES: dict[str, str] = {
    BUILTIN: "Query on your tables",
    FRAMES: "Recount over data frames",
    SHEET: "Recount on one flat sheet",
    MEMORY: "Proven earlier question",
    RULES: "Reading by rules",
    LEARNED: "Learned reading",
    NEXT: "Next likeliest reading",
    OTHERWISE: "Second reading of the question",
}
RECOUNTS = frozenset({FRAMES, SHEET})
"""Approaches that compute anew what another one read."""
READERS = frozenset({RULES, LEARNED})
"""The product's two readers, which know nothing of each other."""
TRUST: dict[str, int] = {MEMORY: 4, BUILTIN: 3, RULES: 3, LEARNED: 3, NEXT: 1, OTHERWISE: 1, FRAMES: 1, SHEET: 0}
OF_MODELS = 2


def name_of(approach: str) -> str:
    """What people call an approach; models are called by their own name."""
    return NAMES.get(approach, approach)


def trust_in(approach: str) -> int:
    """Its rank among approaches that agree."""
    return TRUST.get(approach, OF_MODELS)
