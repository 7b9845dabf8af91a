"""Footers of exported reports: totals with a colon, grouped below small cells, beside rates, and their shares."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from apps.analyst.tables.ingestion import BULK_BYTES

Read = Callable[..., Any]
AREAS = ("Brand", "Shoes", "Jackets")
HEADER = "Day,Campaign,Views,Clicks,Rate,Avg. price,Cost,Conversions,Cost each,Best position,Kind"


def grouped(figure: Decimal | int) -> str:
    return f'"{figure:,}"'


def report(count: int, label: str, *, off: int = 0) -> str:
    """Lines of a report on advertising with its footer, whose views are `off` from their sum."""
    rows, views, clicks, cost, made = [], 0, 0, Decimal(0), Decimal(0)
    for place in range(count):
        v, k, c, m = 150 + place * 37 % 800, 5 + place * 3 % 40, Decimal(120 + place * 71 % 900) / 100, place % 3
        views, clicks, cost, made = views + v, clicks + k, cost + c, made + m
        each = f"{c / m:.2f}" if m else "0"
        shown = [f"{k * 100 / v:.2f}%", f"{c / k:.2f}", f"{c:.2f}", f"{m}.00", each, str(1 + place % 4)]
        day = f"2025-{place // 28 % 12 + 1:02d}-{place % 28 + 1:02d}"
        rows.append([day, AREAS[place % 3], str(v), str(k), *shown, "Search"])
    rates = [f"{clicks * 100 / views:.2f}%", f"{cost / clicks:.2f}", grouped(cost), grouped(made)]
    footer = [label, " --", grouped(views + off), grouped(clicks + off), *rates, f"{cost / made:.2f}", "1", " --"]
    if off:
        footer[6:8] = ["1.25", "2.00"]
    return "\n".join([HEADER, *(",".join(row) for row in [*rows, footer])]) + "\n"


COUNTS = pytest.mark.parametrize(
    "count", [60, 2 * BULK_BYTES * 60 // len(report(60, "Total"))], ids=["in memory", "on disk"]
)


@COUNTS
@pytest.mark.parametrize("label", ["Total: Account", "Total: Search", "Total", "Totals - Campaigns"])
def test_the_footer_of_a_report_is_no_row_of_it(read_text: Read, count: int, label: str) -> None:
    table = read_text(report(count, label))
    assert table.table.rows == count
    assert f'1 totals row left out ("{label}")' in table.report
    assert set(table.columns["Campaign"]) == set(AREAS)
    assert (table.types["Day"], table.types["Views"]) == ("date", "integer")


@COUNTS
def test_a_row_that_is_labelled_so_and_is_no_sum_stays(read_text: Read, count: int) -> None:
    table = read_text(report(count, "Total: Account", off=7))
    assert table.table.rows == count + 1
    assert "totals" not in table.report


def test_two_sums_of_many_digits_make_a_total_whatever_the_others_hold(read_text: Read) -> None:
    rows = [[f"Shop {n}", str(410 + 37 * n), f"{n + 3}{n}.25", *[str(5 + n % 2)] * 5] for n in range(8)]
    sums = [str(sum(int(row[1]) for row in rows)), str(sum(Decimal(row[2]) for row in rows))]
    text = "\n".join(",".join(row) for row in [["Shop", "Visits", "Sales", *"ABCDE"], *rows])
    left_out = read_text(f"{text}\nTotal,{','.join(sums)},5.4,5.6,5.5,5.3,5.2\n")
    assert len(left_out.columns["Shop"]) == 8
    one_sum = read_text(f"{text}\nTotal,{sums[0]},31.5,5.4,5.6,5.5,5.3,5.2\n")
    assert one_sum.columns["Shop"][-1] == "Total"


def test_one_sum_told_twice_is_not_two(read_text: Read) -> None:
    rows = [[f"Shop {n}", str(4100 + 37 * n), str(4100 + 37 * n), *[str(5 + n % 2)] * 4] for n in range(3)]
    twice = str(sum(int(row[1]) for row in rows))
    text = "\n".join(",".join(row) for row in [["Shop", "Visits", "Again", *"ABCD"], *rows])
    table = read_text(f"{text}\nTotal Wine,{twice},{twice},7,8,9,6\n")
    assert "Total Wine" in table.columns["Shop"]


SHARES = "Percentage of total,50.00%,25.00%,12.50%,12.50%,100.00%"


def ageing(last: str, total: str = 'Total,"2,000.00","1,000.00",500.00,500.00,"4,000.00"') -> str:
    rows = [
        'Ashford,"1,200.00",0.00,400.00,500.00,"2,100.00"',
        'Bakewell,800.00,250.00,100.00,0.00,"1,150.00"',
        "Northam,0.00,750.00,0.00,0.00,750.00",
    ]
    return "\n".join(["Contact,Current,1 month,2 months,Older,Total", *rows, total, last]) + "\n"


def test_shares_below_a_total_are_no_row(read_text: Read) -> None:
    table = read_text(ageing(SHARES))
    assert table.columns["Contact"] == ["Ashford", "Bakewell", "Northam"]
    assert table.columns["Older"] == [500, 0, 0]
    assert '2 totals rows left out ("Total", "Percentage of total")' in table.report


@pytest.mark.parametrize(
    "text",
    [
        ageing("Percentage of total,51.00%,24.00%,12.50%,12.50%,100.00%"),
        ageing("Bonus of total,50,25,12.5,12.5,100"),
        ageing(SHARES, "Winslow,100.00,0.00,0.00,0.00,100.00"),
    ],
    ids=["other shares", "no percentages", "no total above"],
)
def test_what_only_looks_like_shares_of_a_total_stays(read_text: Read, text: str) -> None:
    assert read_text(text).columns["Contact"][-1].endswith("of total")


def test_dashes_that_figures_mean_by_no_value_are_no_text_either(read_text: Read) -> None:
    table = read_text("Group,Device,Share\n" + "a,Phone,12\nb,--,--\nc,Tablet,9\nd,Phone,11\n")
    assert table.columns["Device"] == ["Phone", None, "Tablet", "Phone"]
    assert '1 cell ("--") taken for missing' in table.report
    kept = read_text("Group,Device,Share\n" + "a,Phone,12\nb,--,7\nc,Tablet,9\nd,Phone,11\n")
    assert kept.columns["Device"] == ["Phone", "--", "Tablet", "Phone"]
