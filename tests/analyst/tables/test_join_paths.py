"""Tables join where names and values both say so, and nowhere else."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from apps.analyst.tables import ingest
from apps.analyst.tables.joins import find_joins, settle_roles
from apps.analyst.tables.key_names import agreement
from apps.analyst.types import EmbeddedKey, JoinPath, Table


@pytest.fixture
def joins(tmp_path):
    """Joins of tables given as {name: CSV text}, as (left, columns, right, columns)."""

    def find(texts: dict[str, str]) -> list[JoinPath]:
        return find_joins([table_of(tmp_path, name, text) for name, text in texts.items()])

    return find


def table_of(folder: Path, name: str, text: str) -> Table:
    path = folder / f"{name}.csv"
    path.write_text(text, encoding="utf-8")
    return ingest(path, f"{name}.csv", folder / f"{name}.out")[0].table


def ends(paths: list[JoinPath]) -> set[tuple[str, tuple[str, ...], str, tuple[str, ...]]]:
    return {(path.left_table, path.left_columns, path.right_table, path.right_columns) for path in paths}


def lines(header: str, *rows: str) -> str:
    return "\n".join((header, *rows)) + "\n"


CUSTOMERS = lines("id,name,city", *(f"{n},Customer {n},City {n % 7}" for n in range(1, 41)))
ORDERS = lines("order_id,customer_id,amount", *(f"{n},{n % 40 + 1},{n * 3}.50" for n in range(1, 201)))


def test_a_reference_joins_the_key_it_names(joins):
    (path,) = joins({"customers": CUSTOMERS, "orders": ORDERS})
    assert ends([path]) == {("orders", ("customer_id",), "customers", ("id",))}
    assert path.right_unique
    assert path.match_rate == 1.0
    assert not path.fold


def test_running_numbers_of_unrelated_tables_do_not_join(joins):
    assert (
        joins(
            {
                "dogs": lines("id,breed", *(f"{n},b{n}" for n in range(1, 30))),
                "invoices": lines("id,total", *(f"{n},{n * 7}" for n in range(1, 30))),
            }
        )
        == []
    )


def test_a_row_number_does_not_join_another_tables_key(joins):
    assert (
        joins(
            {
                "orders": ORDERS,
                "order_items": lines("order_item_id,qty", *(f"{n},{n % 5}" for n in range(1, 100))),
            }
        )
        == []
    )


def test_figures_do_not_join_keys(joins):
    assert (
        joins(
            {
                "hosts": lines("host_id,name", *(f"{n},h{n}" for n in range(1, 12))),
                "parties": lines(
                    "party_id,number_of_hosts,host_age", *(f"{n + 100},{n % 9 + 1},{n % 9 + 2}" for n in range(30))
                ),
            }
        )
        == []
    )


def test_texts_join_by_their_values_without_any_name(joins):
    countries = ["Chad", "Mali", "Niger", "Togo", "Benin", "Ghana"]
    paths = joins(
        {
            "nations": lines("state,area", *(f"{name},{n}" for n, name in enumerate(countries))),
            "visits": lines("guest,home", *(f"g{n},{countries[n % 6]}" for n in range(40))),
        }
    )
    assert ends(paths) == {("visits", ("home",), "nations", ("state",))}


def test_abbreviated_names_join_where_values_are_telling(joins):
    paths = joins(
        {
            "cust_info": lines("cst_id,cst_name", *(f"{n},x{n}" for n in range(11000, 11200))),
            "sales": lines("sls_no,sls_cust_id", *(f"S{n},{11000 + n % 150}" for n in range(400))),
        }
    )
    assert ("sales", ("sls_cust_id",), "cust_info", ("cst_id",)) in ends(paths)


def test_codes_join_through_case_spaces_and_leading_zeros(joins):
    paths = joins(
        {
            "shops": lines("shop_code,city", *(f"{n:05d},c{n}" for n in range(1, 30))),
            "sales": lines("sale,shop_code", *(f"s{n},{n % 29 + 1}" for n in range(60))),
        }
    )
    assert [(path.left_columns, path.fold) for path in paths] == [(("shop_code",), True)]


def test_keys_whose_core_throws_others_together_do_not_join(joins):
    texts = {
        "crm": lines("CID,born", *(f"{land}{n:06d},1980" for n in range(1100, 1160) for land in ("DE", "FR"))),
        "erp": lines("CID,country", *(f"{n:08d},US" for n in range(1100, 1160))),
    }
    assert joins(texts) == []


def test_keys_that_agree_in_their_core_join(joins):
    texts = {
        "crm": lines("CID,born", *(f"NASAW{n:08d},1980" for n in range(11000, 11060))),
        "erp": lines("CID,country", *(f"AW-{n:08d},US" for n in range(11000, 11060))),
    }
    (path,) = joins(texts)
    assert path.fold
    assert path.match_rate == 1.0


def test_two_columns_together_can_be_the_key(joins):
    rooms = lines("building,room,seats", *(f"B{b},{r},{b * r}" for b in range(1, 6) for r in range(101, 107)))
    lessons = lines("lesson,building,room", *(f"L{n},B{n % 5 + 1},{101 + n % 6}" for n in range(60)))
    paths = joins({"rooms": rooms, "lessons": lessons})
    assert ("lessons", ("building", "room"), "rooms", ("building", "room")) in ends(paths)


def test_a_key_with_a_few_doubles_is_not_called_unique(joins):
    customers = lines("id,name", *(f"{n},c{n}" for n in range(1000, 1060)), "1003,again")
    (path,) = joins(
        {"customers": customers, "orders": lines("no,customer_id", *(f"o{n},{1000 + n % 60}" for n in range(99)))}
    )
    assert not path.right_unique


def test_two_references_to_one_table_are_both_found(joins):
    paths = joins(
        {
            "clubs": lines("club_id,name", *(f"{n},club {n}" for n in range(1, 12))),
            "results": lines("match,club_id_1,club_id_2", *(f"m{n},{n % 11 + 1},{n % 10 + 1}" for n in range(50))),
        }
    )
    assert {path.left_columns for path in paths} == {("club_id_1",), ("club_id_2",)}


def test_a_reference_without_the_word_id_is_no_measure(tmp_path):
    tables = [
        table_of(tmp_path, "car_makers", lines("Id,Name", *(f"{n},m{n}" for n in range(1, 15)))),
        table_of(tmp_path, "models", lines("Model,Maker,Power", *(f"x{n},{n % 14 + 1},{n * 9}" for n in range(40)))),
    ]
    settled = settle_roles(tables, find_joins(tables))
    assert [column.role for column in settled[1].columns] == ["dimension", "id", "measure"]


@pytest.mark.parametrize(
    ("left", "left_table", "right", "right_table", "lowest", "highest"),
    [
        ("CustomerID", "Orders", "CustomerID", "Customers", 1.0, 1.0),
        ("customer_id", "orders", "id", "customers", 1.0, 1.0),
        ("supplier_company_id", "assets", "company_id", "companies", 0.7, 0.9),
        ("Maker", "models", "Id", "car_makers", 0.6, 0.8),
        ("part_fault_id", "logs", "part_id", "parts", 0.0, 0.4),
        ("sales_transaction_id", "sales", "purchase_transaction_id", "purchases", 0.0, 0.4),
        ("id", "dogs", "id", "invoices", 0.0, 0.3),
        ("amount", "orders", "id", "customers", 0.0, 0.0),
    ],
)
def test_names_agree_more_or_less(left, left_table, right, right_table, lowest, highest):
    assert lowest <= agreement(left, left_table, right, right_table) <= highest


def test_eleven_tables_are_compared_quickly(tmp_path):
    tables = [
        table_of(
            tmp_path,
            f"table_{i}",
            lines("id,other_id,code,amount", *(f"{n},{n % 50},c{n % 40},{n}.5" for n in range(300))),
        )
        for i in range(11)
    ]
    start = time.process_time()
    find_joins(tables)
    assert time.process_time() - start < 2.0


GROUPS = lines("ID,GROUP", *(f"{a}_{b},{a} {b}" for a in ("TO", "GA", "KI") for b in ("AX", "BY", "CZ")))
GOODS = lines(
    "good_key,label,cost,since",
    *(
        f"{a}-{b}-{a}{n}-R{n % 4},Thing {a}{b}{n},{n + version},20{20 + version}-01-01"
        for a in ("TO", "GA", "KI")
        for b in ("AX", "BY", "CZ")
        for n in range(10, 16)
        for version in range(1 + n % 2)
    ),
)


def test_a_key_that_begins_a_longer_one_joins_it(joins):
    (path,) = joins({"groups": GROUPS, "goods": GOODS})
    assert ends([path]) == {("goods", ("good_key",), "groups", ("ID",))}
    assert path.embedded == EmbeddedKey("left", 0, 4)
    assert path.right_unique


def test_a_key_that_ends_a_longer_one_joins_its_versions(joins):
    goods = lines(
        "good_key,label,cost",
        *(f"TO-AX-{n}-RX{n},Thing {n},{n + version}" for n in range(100, 130) for version in range(1 + n % 2)),
    )
    sold = lines("sale,good,amount", *(f"S{i},{100 + i % 30}-RX{100 + i % 30},{i}" for i in range(90)))
    (path,) = joins({"goods": goods, "sold": sold})
    assert ends([path]) == {("sold", ("good",), "goods", ("good_key",))}
    assert path.embedded == EmbeddedKey("right", 4)
    assert path.versions
    assert not path.right_unique


def test_codes_that_only_look_alike_do_not_join(joins):
    texts = {
        "groups": lines("ID,GROUP", *(f"X{n:02d}_Q,group {n}" for n in range(12))),
        "goods": lines("good_key,label", *(f"{a}-{n}-Z,Thing {n}" for a in ("TO", "GA") for n in range(40))),
    }
    assert joins(texts) == []


def test_files_that_share_the_names_of_many_things_join_by_them_from_the_fewer_to_the_more(joins):
    files = {
        "leases": lines("lease_no,tenant,plan", *(f"L{n},Tenant {n % 15},{n % 3}" for n in range(40))),
        "requests": lines("request,tenant,urgency", *(f"R{n},Tenant {n % 12},{n % 4}" for n in range(60))),
    }
    (path,) = joins(files)
    assert ends([path]) == {("requests", ("tenant",), "leases", ("tenant",))}
    assert not path.right_unique


def test_kinds_and_names_that_mostly_differ_join_nothing(joins):
    kinds = {
        "leases": lines("lease_no,country", *(f"L{n},Land {n % 6}" for n in range(40))),
        "requests": lines("request,country", *(f"R{n},Land {n % 6}" for n in range(60))),
    }
    others = {
        "leases": lines("lease_no,tenant", *(f"L{n},Tenant {n % 15}" for n in range(40))),
        "requests": lines("request,tenant", *(f"R{n},Tenant {10 + n % 15}" for n in range(60))),
    }
    assert joins(kinds) == joins(others) == []


CENTRES = lines("cc,cc_nm", *(f"{4000 + 37 * n},Centre {n}" for n in range(12)))
MONTHS = lines("mth,cc,spent", *(f"2025-{n % 12 + 1:02}-01,{4000 + 37 * (n % 11)},{n * 13}" for n in range(60)))


@pytest.mark.parametrize("name", ["cc", "cst_ctr", "adv_cd"])  # the last two may also shorten figures
def test_numbers_of_one_name_that_are_all_different_on_one_side_join_and_are_never_added_up(joins, tmp_path, name):
    own = {"centres": CENTRES.replace("cc,", f"{name},"), "months": MONTHS.replace("cc,", f"{name},")}
    paths = joins(own)
    assert ends(paths) == {("months", (name,), "centres", (name,))}
    centres, months = settle_roles([table_of(tmp_path, table, text) for table, text in own.items()], paths)
    assert {table.column(name).role for table in (centres, months)} == {"id"}


@pytest.mark.parametrize(
    ("centres", "months"),
    [
        (CENTRES.replace("cc,", "budget,"), MONTHS.replace("cc,", "budget,")),  # a figure by its name
        (CENTRES.replace("cc,", "net_amt,"), MONTHS.replace("cc,", "net_amt,")),  # and by a shortened one
        (CENTRES, CENTRES.replace("cc_nm", "site").replace("Centre", "Site")),  # nothing refers to it twice
        (CENTRES, MONTHS.replace("4037", "4038")),  # a number in eleven has no partner
        (CENTRES, MONTHS.replace("cc,", "clerk,")),  # another name
        (CENTRES + "4037,Centre again\n", MONTHS),  # not all different
    ],
    ids=["figure", "shortened figure", "never twice", "no partner", "name", "twice"],
)
def test_other_numbers_do_not_join(joins, centres: str, months: str):
    assert joins({"centres": centres, "months": months}) == []


def test_a_number_written_together_with_its_thing_is_its_key(joins):
    trips = lines("tripno,budget", *(f"{5000 + 3 * n},{n * 40}" for n in range(30)))
    bookings = lines("tripno,cost", *(f"{5000 + 3 * (n % 33)},{n}" for n in range(90)))  # some of no trip that is there
    assert ends(joins({"trips": trips, "bookings": bookings})) == {("bookings", ("tripno",), "trips", ("tripno",))}


def test_of_very_many_pairs_of_columns_only_those_are_looked_at_that_names_give_away(joins, tmp_path):
    texts = {"customers": CUSTOMERS, "orders": ORDERS, "centres": CENTRES, "months": MONTHS}
    named = {("orders", ("customer_id",), "customers", ("id",))}
    assert ends(joins(texts)) == named | {("months", ("cc",), "centres", ("cc",))}
    tables = [table_of(tmp_path, name, text) for name, text in texts.items()]
    assert ends(find_joins(tables, most_pairs=0)) == named


def test_two_columns_of_the_same_names_do_not_join_where_one_alone_has_few_partners(joins):
    stays = lines("ward,bed,nights", *(f"W{n % 4},B{n % 9},{n}" for n in range(36)))
    beds = lines("ward,bed,kind", *(f"W{w},B{b},K{b % 2}" for w in range(4) for b in range(9)))
    assert ends(joins({"stays": stays, "beds": beds})) == {("stays", ("ward", "bed"), "beds", ("ward", "bed"))}
    others = beds.replace("W0", "X0").replace("W1", "X1").replace("W2", "X2")
    assert joins({"stays": stays, "beds": others}) == []
