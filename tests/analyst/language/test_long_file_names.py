"""Files as people name them: what a long name begins with says what the rows are."""

from __future__ import annotations

from tests.analyst.language.asking import Desk, csv, uploaded

RINGS = csv(
    "call id,agent,called on,length",
    [("C1", "Ines", "2026-01-03", "4:10"), ("C2", "Otto", "2026-01-04", "12:40"), ("C3", "Ines", "2026-02-01", "0:50")],
)
LONG = "phone calls 2026 - every region with partners and branches final"
TASTINGS = csv("tasting id,held on,host", [(1, "2026-01-01", "Ada"), (2, "2026-01-02", "Bo"), (3, "2026-01-03", "Bo")])
ring = uploaded(**{LONG: RINGS})
sheet = uploaded(**{"spring planning - tastings": TASTINGS})
beside = uploaded(**{LONG: RINGS, "tastings": TASTINGS})


def test_a_long_name_is_called_by_what_it_begins_with(ring: Desk) -> None:
    assert ring.figure("What was the longest call?") == "C2"
    asked = ring.ask("How many calls did Ines make?")
    assert [list(row) for row in asked.result.rows] == [[2]]
    assert "phone calls" in asked.text


def test_a_short_name_behind_a_dash_says_what_the_rows_are(sheet: Desk) -> None:
    assert sheet.ask("How many tastings are there?").text == "The number of tastings is **3**."


def test_what_was_named_is_what_is_counted(beside: Desk) -> None:
    assert beside.ask("Which agents held the most tastings?").status == "declined"
    assert beside.figure("Which host held the most tastings?") == "Bo"
    assert beside.figure("Which agent made the most calls?") == "Ines"
