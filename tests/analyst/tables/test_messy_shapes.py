"""Tables of the shapes that circulate as samples of dirty data, made here: each must end as a person would write it."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from itertools import product

SEGMENTS, MODES = ("Consumer", "Corporate", "Home Office"), ("First Class", "Same Day", "Standard Class")
PAIRS = list(product(SEGMENTS, MODES))


def sold(order: int, place: int) -> float | None:
    """What an order brought in a cell of the cross table; most cells are empty."""
    return round(100 + order * 7.5 + place, 2) if (order + place) % 4 == 0 else None


def crossed(labels: list[list[object]], corner: list[str]) -> list[list[object]]:
    """Rows of a cross table: two levels above, a total behind each segment, a grand total below."""
    top: list[object] = [*[None] * (len(corner) - 1), "Segment>>"]
    modes: list[object] = [*[None] * (len(corner) - 1), "Ship Mode>>"]
    for segment in SEGMENTS:
        top += [segment, *[None] * (len(MODES) - 1), f"{segment} Total"]
        modes += [*MODES, None]
    rows: list[list[object]] = [top, modes, [*corner]]
    sums = [0.0] * (len(SEGMENTS) * (len(MODES) + 1))
    for order, label in enumerate(labels):
        cells: list[object] = []
        for segment in range(len(SEGMENTS)):
            figures = [sold(order, segment * len(MODES) + mode) for mode in range(len(MODES))]
            cells += [*figures, sum(figure or 0 for figure in figures)]
        sums = [one + float(str(other or 0)) for one, other in zip(sums, cells, strict=True)]
        rows.append([*label, *cells])
    return [*rows, ["Grand Total", *[None] * (len(corner) - 1), *sums]]


def facts(labels: list[list[object]]) -> set[tuple[object, ...]]:
    """The same by hand: a row for every filled cell."""
    return {
        (*label, *pair, Decimal(str(figure)))
        for order, label in enumerate(labels)
        for place, pair in enumerate(PAIRS)
        if (figure := sold(order, place)) is not None
    }


def into(rows: list[list[object]]):
    def fill(book):
        sheet, day = book.add_worksheet("Dirty"), book.add_format({"num_format": "dd/mm/yyyy"})
        for index, row in enumerate(rows):
            for column, cell in enumerate(row):
                if isinstance(cell, date):
                    sheet.write_datetime(index, column, cell, day)
                elif cell is not None:
                    sheet.write(index, column, cell)

    return fill


def test_a_cross_table_with_subtotals_becomes_one_row_a_fact(read_workbook):
    labels: list[list[object]] = [[f"CA-2011-{100293 + 7 * n}"] for n in range(40)]
    (table,) = read_workbook(into(crossed(labels, ["Order ID"])))
    assert table.names == ["Order ID", "Segment", "Ship Mode", "Value"]
    assert set(table.rows) == facts(labels)
    assert (len(table.rows), table.roles["Order ID"], table.roles["Value"]) == (len(facts(labels)), "id", "measure")
    assert "a cross table was turned into rows" in table.report


def test_a_cross_table_over_two_columns_of_labels_keeps_its_dates(read_workbook):
    labels: list[list[object]] = [[f"CA-2013-{100293 + n}", date(2013, n % 12 + 1, n % 27 + 1)] for n in range(40)]
    (table,) = read_workbook(into(crossed(labels, ["Order ID", "Order Date"])))
    assert table.types == {
        "Order ID": "text", "Order Date": "date", "Segment": "text", "Ship Mode": "text", "Value": "decimal",
    }  # fmt: skip
    assert set(table.rows) == facts(labels)


def test_headers_with_spaces_and_figures_with_currencies_are_read_as_meant(read_workbook):
    heads = ["Segment", " Units Sold ", " Sale Price", " Gross Sales", "Date", "Month Name", "Year"]
    bodies = [("Government", 1618.5, 20, 32370.0, date(2014, 1, 1), "January", "2014"),
              ("Midmarket", 2178, 15, 32670.0, date(2014, 6, 1), "June", "2014"),
              ("Channel Partners", 888, 15, 13320.0, date(2013, 12, 1), "December", "2013")]  # fmt: skip

    def fill(book):
        sheet = book.add_worksheet()
        money = book.add_format({"num_format": '_("$"* #,##0.00_);_("$"* (#,##0.00)'})
        day = book.add_format({"num_format": "m/d/yyyy"})
        sheet.write_row(0, 0, heads)
        for row, cells in enumerate(bodies, start=1):
            for column, cell in enumerate(cells):
                kind = money if column in (2, 3) else day if column == 4 else None
                sheet.write(row, column, cell, kind) if column != 4 else sheet.write_datetime(row, column, cell, kind)

    (table,) = read_workbook(fill)
    assert table.names == ["Segment", "Units Sold", "Sale Price", "Gross Sales", "Date", "Month Name", "Year"]
    assert [tuple(map(str, row)) for row in table.rows] == [
        ("Government", "1618.5", "20", "32370", "2014-01-01", "January", "2014"),
        ("Midmarket", "2178.0", "15", "32670", "2014-06-01", "June", "2014"),
        ("Channel Partners", "888.0", "15", "13320", "2013-12-01", "December", "2013"),
    ]
    assert (table.unit("Gross Sales"), table.unit("Sale Price"), table.unit("Units Sold")) == ("USD", "USD", None)
    assert table.types["Year"] == "integer"
    assert table.roles["Year"] == "time"


def test_order_dates_of_which_half_were_swapped_agree_with_the_month_beside_them(read_workbook):
    days = [date(2003 + n % 3, n % 12 + 1, n % 28 + 1) for n in range(120)]

    def fill(book):
        sheet, shown = book.add_worksheet(), book.add_format({"num_format": "m/d/yyyy h:mm"})
        sheet.write_row(0, 0, ["ORDERNUMBER", "ORDERDATE", "MONTH_ID", "YEAR_ID", "PHONE", "POSTALCODE"])
        for row, day in enumerate(days, start=1):
            sheet.write(row, 0, 10_100 + row)
            if day.day <= 12:  # another country's spreadsheet took it for a date of its own
                sheet.write_datetime(row, 1, date(day.year, day.day, day.month), shown)
            else:
                sheet.write_string(row, 1, f"{day.month}/{day.day}/{day.year} 0:00")
            sheet.write_row(row, 2, [day.month, day.year])
            sheet.write(row, 4, "+33 1 46 62 7555" if row % 2 else 2125557818)
            sheet.write(row, 5, "WX1 6LT" if row % 3 else 10022)

    (table,) = read_workbook(fill)
    assert table.columns["ORDERDATE"] == days
    assert all(day.month == month for day, month in zip(days, table.columns["MONTH_ID"], strict=True))
    assert "swapped back" in table.report
    assert (table.types["PHONE"], table.types["POSTALCODE"]) == ("text", "text")
    assert table.columns["POSTALCODE"][2] == "10022"


def test_a_stock_list_with_words_for_numbers_and_gaps_in_words(read_text):
    quantities, days = ("300", " two hundred ", "NaN", "150"), ("25/04/2023", "NaN", "01/10/2022", "20/12/2022")
    lines = [f"{1100 + n}, gadget y ,ELECTRONICS,{quantities[n % 4]},{('9.99', 'NaN')[n % 2]},{days[n // 4 % 4]}"
             for n in range(160)]  # fmt: skip
    table = read_text("Product ID,Product Name,Category,Quantity,Price,Last Restocked\n" + "\n".join(lines))
    assert table.columns["Quantity"][:4] == [300, 200, None, 150]
    assert table.columns["Price"][:2] == [Decimal("9.99"), None]
    assert table.columns["Last Restocked"][::4][:4] == [date(2023, 4, 25), None, date(2022, 10, 1), date(2022, 12, 20)]
    assert set(table.columns["Product Name"]) == {"gadget y"}
    assert "numbers in words were read as figures" in table.report
    assert '("NaN") taken for missing' in table.report


def test_totals_of_groups_that_are_named_in_a_later_column_are_left_out(read_workbook):
    rows: list[list[object]] = [["Segment", "Ship Mode", "OrderID", "Sales"]]
    facts = []
    for segment in SEGMENTS:
        for mode in MODES:
            group = [(segment, mode, f"CA-{segment[:3]}-{mode[:3]}-{n}", 10 + n + len(mode) / 4) for n in range(5)]
            facts += group
            rows += [list(fact) for fact in group]
            rows.append([segment, mode, "Grand Total", sum(fact[3] for fact in group)])
    (table,) = read_workbook(into(rows))
    assert [(*row[:3], float(row[3])) for row in table.rows] == facts
    assert '9 totals rows left out ("Grand Total")' in table.report


def test_months_above_amounts_are_a_header(read_text):
    table = read_text("Depot,Jan-25,Feb-25\nN,1.5,2\nS,3,4\nW,5,6\n")
    assert table.names == ["Depot", "Jan-25", "Feb-25"]
    assert table.columns["Feb-25"] == [2, 4, 6]


def test_dates_above_dates_are_no_header(read_text):
    table = read_text("N,2025-01-02,5\nS,2025-01-03,4\nW,2025-02-01,6\n")
    assert table.names == ["Column 1", "Column 2", "Column 3"]
    assert len(table.rows) == 3
