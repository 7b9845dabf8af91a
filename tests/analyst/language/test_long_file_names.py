"""Files as people name them: what a long name begins with says what the rows are, and who did what in them."""

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
    assert ring.ask("How many calls did Ines make?").text == "There are **2 phone calls** with agent Ines."
    assert ring.ask("What is the average length of a call?").text.startswith("The average length is **")


def test_a_short_name_behind_a_dash_says_what_the_rows_are(sheet: Desk) -> None:
    assert sheet.ask("How many tastings are there?").text == "There are **3 tastings**."


def test_what_was_named_is_what_is_counted(beside: Desk) -> None:
    assert beside.ask("Which agents held the most tastings?").status == "declined"
    assert beside.figure("Which host held the most tastings?") == "Bo"
    assert beside.figure("Which agent made the most calls?") == "Ines"


VISITS = csv("visit id,rep,town", [(1, "Ada", "Osk"), (2, "Bo", "Osk"), (3, "Bo", "Varn")])
KEYS = csv("key no,town,hung on", [(1, "Osk", "2026-01-01"), (2, "Varn", "2026-02-01"), (3, "Varn", "2026-03-01")])
visits = uploaded(visits=VISITS)
with_keys = uploaded(visits=VISITS, keys=KEYS)


def test_who_did_the_most_is_the_one_whose_rows_they_are(visits: Desk, with_keys: Desk) -> None:
    assert visits.figure("Who made the most visits?") == "Bo"
    assert with_keys.figure("Who made the most visits?") == "Bo"


def test_the_number_of_all_is_not_told_for_the_one_who_did_the_most(with_keys: Desk) -> None:
    assert with_keys.ask("Who hung the most keys?").status == "declined"
