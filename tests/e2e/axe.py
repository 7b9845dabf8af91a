"""axe on a page at rest. Colours are judged once nothing moves: on a busy machine a fade outlasts any fixed wait."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from playwright.sync_api import Page

SCRIPT = Path(__file__).resolve().parents[2] / "node_modules" / "axe-core" / "axe.min.js"
# What turns for ever (a spinner) is left out.
MOTION_ENDED = """() => Promise.all(document.getAnimations()
    .filter(one => Number.isFinite(one.effect.getComputedTiming().endTime))
    .map(one => one.finished.catch(() => null)))"""
# axe writes what a style sheet imports into an inline one, which the pages' policy refuses: it is told to leave that.
LOOK = """rules => axe.run(document, {preload: {assets: ['media']}, ...(rules.length && {runOnly: rules})})
    .then(result => result.violations.map(
        one => [one.id, ...one.nodes.map(node => node.html + ' ' + node.failureSummary)]))"""

Found = TypeVar("Found")


def lasting(page: Page, look: Callable[[], list[Found]], *, first: int = 300) -> list[Found]:
    """What a look finds on a page at rest, and finds again; what a state that passed meanwhile had is none.

    Args:
        first: milliseconds before the first look.
    """
    found: list[Found] = []
    for pause in (first, 700, 2_000):
        page.wait_for_timeout(pause)
        page.evaluate(MOTION_ENDED)
        found = look()
        if not found:
            break
    return found


def violations(page: Page, rules: Sequence[str] = ()) -> list[list[str]]:
    """The violations that last: [rule, element, ...] each.

    Args:
        rules: axe's tags to look for; all when empty.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(SCRIPT.read_text())
    return lasting(page, lambda: page.evaluate(LOOK, list(rules)))


def violations_in_both_themes(page: Page, rules: Sequence[str] = ()) -> list[list[str]]:
    """The violations of a page in the light; in the dark, where only colours differ, those of its colours."""
    found = violations(page, rules)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    found += violations(page, ["color-contrast"])
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    return found
