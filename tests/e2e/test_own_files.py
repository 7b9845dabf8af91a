"""What becomes of a member's own files: a newer version in an old one's place, and a file that nobody can read."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.e2e.axe import violations_in_both_themes
from tests.e2e.test_panels_and_popups import RULES
from tests.e2e.test_the_main_job import answer, ask, figures, ready, upload

WORDS = "Crates picked by hand; Hilltop is the old orchard."


def test_a_newer_version_keeps_the_context_and_answers_the_next_question(signed_in: Page, made_files: Path) -> None:
    page = signed_in
    (made_files / "picking.csv").write_text("Orchard,Crates\nHilltop,41\nRiverside,32\n")
    (made_files / "picking of june.csv").write_text("Orchard,Crates\nHilltop,141\nRiverside,32\nSeaside,77\n")
    page.goto("/chat")
    upload(page, made_files / "picking.csv")
    ready(page, "picking")
    context = open_context(page, "picking")
    context.fill(WORDS)
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_role("button", name="Preview picking", exact=True)).to_be_visible()

    preview = page.get_by_role("button", name="Preview picking", exact=True)
    preview.click()
    page.get_by_test_id("replacement").set_input_files(str(made_files / "picking of june.csv"))
    expect(preview).to_contain_text("3 rows")
    expect(preview).to_contain_text("replaced just now")

    expect(open_context(page, "picking")).to_have_value(WORDS)
    page.get_by_role("button", name="Cancel", exact=True).click()
    ask(page, "What is the total of crates in picking?")
    assert 250.0 in figures(answer(page))


def test_a_broken_workbook_says_why_and_offers_no_second_try_that_cannot_help(
    signed_in: Page, made_files: Path
) -> None:
    page = signed_in
    (made_files / "torn.xlsx").write_bytes(b"PK\x03\x04 this was a workbook once")
    page.goto("/chat")
    upload(page, made_files / "torn.xlsx")
    row = page.get_by_role("listitem").filter(has=page.get_by_role("button", name="Delete torn"))
    expect(row).to_contain_text(
        "torn.xlsx is damaged and cannot be opened. Please open it in Excel and save it again as XLSX."
    )
    expect(row.get_by_role("button", name="Read torn again")).to_have_count(0)
    row.get_by_role("button", name="Delete torn").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("torn", exact=True)).to_have_count(0)


def open_context(page: Page, display_name: str) -> Locator:
    """The field with what is known of a file."""
    page.get_by_role("button", name=f"Edit context of {display_name}", exact=True).click()
    return page.get_by_role("textbox", name="Context")


def test_what_a_file_means_is_corrected_kept_and_taken_back(signed_in: Page, made_files: Path) -> None:
    page = signed_in
    lines = [f"{number},{number}.50,{'YN'[number % 2]}" for number in range(40)]
    (made_files / "returns.csv").write_text("\n".join(["ORD_ID,NET_AMT,RTN_FLG", *lines]))
    page.goto("/chat")
    upload(page, made_files / "returns.csv")
    ready(page, "returns")
    page.get_by_role("button", name="Preview returns", exact=True).click()
    page.get_by_role("tab", name="What it means").click()
    columns = page.get_by_role("list", name="What the columns mean")
    expect(columns).to_contain_text("net amount")
    page.get_by_role("button", name="Edit what NET_AMT means").click()
    page.get_by_role("textbox", name="Also called").fill("moolah")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(columns).to_contain_text("Also called moolah")

    page.reload()
    page.get_by_role("button", name="Manage Data", exact=True).click()
    page.get_by_role("button", name="Preview returns", exact=True).click()
    page.get_by_role("tab", name="What it means").click()
    expect(columns).to_contain_text("Also called moolah")
    page.get_by_role("button", name="Undo the last change of NET_AMT").click()
    expect(columns).not_to_contain_text("moolah")


def test_connections_are_drawn_refused_and_taken_back_and_answers_follow(signed_in: Page, made_files: Path) -> None:
    page = signed_in
    berths = [f"{number},{('Tarn', 'Vole')[number % 2]}" for number in range(1, 21)]
    calls = [f"{number},{number % 20 + 1},{number}.50" for number in range(100, 180)]
    (made_files / "mooring.csv").write_text("\n".join(["visit,moored,levy", *calls]))
    (made_files / "quays.csv").write_text("\n".join(["berth,cove", *berths]))
    page.goto("/chat")
    upload(page, made_files / "quays.csv", made_files / "mooring.csv")
    ready(page, "quays")
    ready(page, "mooring")
    page.get_by_role("button", name="Preview mooring", exact=True).click()
    ways = page.get_by_role("region", name="Connections")
    ways.get_by_role("button", name="Draw a connection").click()
    ways.get_by_label("Column of this file").select_option("moored")
    ways.get_by_label("Other file").select_option("quays")
    ways.get_by_label("Its column with the same things").select_option("cove")
    ways.get_by_role("button", name="Connect", exact=True).click()
    expect(ways.get_by_role("alert")).to_have_text("moored of mooring and cove of quays have no value in common.")
    ways.get_by_label("Its column with the same things").select_option("berth")
    ways.get_by_role("button", name="Connect", exact=True).click()
    way = ways.get_by_role("listitem").filter(has_text="quays")
    expect(way).to_contain_text("moored matches quays: every row finds its match")
    expect(way).to_contain_text("Many to one")
    expect(way).to_contain_text("Drawn by hand")
    way.get_by_role("button", name="Refuse").click()
    expect(way).to_contain_text("answers do not use it")
    way.get_by_role("button", name="Undo").click()
    expect(way).to_contain_text("Drawn by hand")
    assert violations_in_both_themes(page, RULES) == []

    page.keyboard.press("Escape")
    ask(page, "What is the total levy by cove?")
    assert {5620.0, 5580.0} <= set(figures(answer(page)))


def test_a_connection_of_several_columns_is_drawn_and_answers_follow(signed_in: Page, made_files: Path) -> None:
    page = signed_in
    shifts = [f"S{n % 5},2025-03-{n // 5 + 1:02},{('Tarn', 'Vole')[n % 2]}" for n in range(50)]
    tills = [f"S{n % 5},2025-03-{n // 5 % 10 + 1:02},{n}" for n in range(100)]
    (made_files / "shifts.csv").write_text("\n".join(["shop,day,warden", *shifts]))
    (made_files / "tills.csv").write_text("\n".join(["till,sold on,barrels", *tills]))
    page.goto("/chat")
    upload(page, made_files / "shifts.csv", made_files / "tills.csv")
    ready(page, "shifts")
    ready(page, "tills")
    page.get_by_role("button", name="Preview tills", exact=True).click()
    ways = page.get_by_role("region", name="Connections")
    ways.get_by_role("button", name="Draw a connection").click()
    ways.get_by_label("Other file").select_option("shifts")
    first, second = (ways.get_by_role("group", name=f"Pair {n} of columns") for n in (1, 2))
    first.get_by_label("Column of this file").select_option("till")
    first.get_by_label("Its column with the same things").select_option("shop")
    ways.get_by_role("button", name="And another pair of columns").click()
    second.get_by_label("Column of this file").select_option("sold on")
    second.get_by_label("Its column with the same things").select_option("day")
    assert violations_in_both_themes(page, RULES) == []
    ways.get_by_role("button", name="Connect", exact=True).click()
    way = ways.get_by_role("listitem").filter(has_text="shifts")
    expect(way).to_contain_text("till and sold on match shifts: every row finds its match")
    expect(way).to_contain_text("Drawn by hand")

    page.keyboard.press("Escape")
    ask(page, "What is the total barrels by warden?")
    said = page.get_by_role("article").last
    meant = said.get_by_role("button", name="Total barrels by warden", exact=True)
    # Beside all files of the other tests the chat may ask which figure is meant.
    expect(said.get_by_text("2,500").or_(meant).first).to_be_visible()
    if meant.count():
        meant.click()
    expect(page.get_by_role("article").last).to_contain_text("2,500")
    assert {2450.0, 2500.0} <= set(figures(answer(page))), answer(page)


def test_the_rows_of_a_file_are_searched_and_its_gaps_shown(signed_in: Page, made_files: Path) -> None:
    page = signed_in
    lines = [f"{number},{'' if number % 30 == 0 else f'Pier {number % 7}'}" for number in range(1, 91)]
    (made_files / "landings.csv").write_text("\n".join(["visit,pier", *lines]))
    page.goto("/chat")
    upload(page, made_files / "landings.csv")
    ready(page, "landings")
    page.get_by_role("button", name="Preview landings", exact=True).click()
    popup = page.get_by_role("dialog")
    expect(popup.get_by_role("status")).to_have_text("The first 7 of 90 rows")
    popup.get_by_role("button", name="Browse all rows").click()
    expect(popup.get_by_role("status")).to_have_text("Rows 1 to 25 of 90")
    popup.get_by_role("button", name="Next").click()
    expect(popup.get_by_role("status")).to_have_text("Rows 26 to 50 of 90")
    popup.get_by_role("combobox", name="Which rows").select_option("pier")
    expect(popup.get_by_role("status")).to_have_text("Rows 1 to 3 of 3, found among 90")
    with page.expect_download() as download:
        popup.get_by_role("button", name="Download found rows as CSV").click()
    assert Path(download.value.path()).read_text("utf-8-sig").splitlines() == ["visit,pier", "30,", "60,", "90,"]
    assert download.value.suggested_filename == "landings - found rows.csv"
    page.set_viewport_size({"width": 320, "height": 640})
    taken = popup.get_by_role("button", name="Download found rows as XLSX")
    assert taken.evaluate("one => one.scrollWidth <= one.clientWidth"), "its words fit"
    expect(taken).to_be_in_viewport(ratio=1)
    beyond = popup.get_by_role("searchbox").evaluate(
        "one => one.closest('label').getBoundingClientRect().right"
        " - one.closest('[role=tabpanel]').getBoundingClientRect().right"
    )
    assert beyond <= 0, "the search is no wider than what it searches"
    page.set_viewport_size({"width": 1280, "height": 900})
    popup.get_by_role("searchbox").fill("nowhere")
    expect(popup.get_by_role("status")).to_have_text("No row holds “nowhere” and lacks pier.")
    assert violations_in_both_themes(page, RULES) == []
