"""Things are told by their names, not by the numbers that other tables know them by."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.reading.candidates import namer_of
from apps.analyst.reading.composing import compose, schema_of
from apps.analyst.reading.naming_rows import asks_for_keys, with_full_names, with_names
from apps.analyst.reading.sketch import Sketch
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Scalar

LESSONS = """lesson_no,held_on,tutor,pupil_id,country,minutes
L1,2025-01-03,T104,7001,DE,30
L2,2025-01-20,T104,7002,FR,50
L3,2025-02-02,T117,7001,DE,20
L4,2025-02-14,T104,7003,ES,30
L5,2025-03-01,T117,7003,ES,80
L6,2025-03-09,T122,7002,DE,40
"""
TUTORS = (
    "tutor_ref,tutor_name,room\nT104,Ada Stone,North\nT117,Bo Reed,South\nT122,Cy Marsh,North\nT130,Di Lake,South\n"
)
PUPILS = "pupil_id,pupil_name,born\n7001,Sam Field,2012-01-04\n7002,Ria Brook,2011-09-30\n7003,Sam Field,2013-05-11\n"
COUNTRIES = "country,country_name\nDE,Germany\nFR,France\nES,Spain\nIT,Italy\n"
TOP: Sketch = ("first", ("desc",), ("by1",), ("one",))
ALL, ANY, NONE = ("all",), ("any",), ("nohaving",)
COUNT = ("count", ("T", "lessons"))


def c(column: str, table: str = "lessons") -> Sketch:
    return ("C", table, column)


def by(*keys: Sketch, last: Sketch = ALL) -> Sketch:
    return ("group", (f"k{len(keys)}", *keys), ("m1", COUNT), ANY, NONE, last)


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder: Path = tmp_path_factory.mktemp("school")
    files = {"lessons": LESSONS, "tutors": TUTORS, "pupils": PUPILS, "countries": COUNTRIES}
    for name, text in files.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return catalog_from_files([folder / f"{name}.csv" for name in files], folder / "tables")


def named(sketch: Sketch, text: str, school: FixedCatalog) -> Sketch:
    schema = schema_of({t.name: t for t in school.tables()}, list(school.joins()), namer_of(school), date(2025, 3, 31))
    return with_names(sketch, text.split(), schema, dictionary_of(school))


def rows(sketch: Sketch, school: FixedCatalog) -> list[tuple[Scalar, ...]]:
    schema = schema_of({t.name: t for t in school.tables()}, list(school.joins()), namer_of(school), date(2025, 3, 31))
    return list(compute(compose(sketch, schema), school, LocalWarehouse(threads=1)).result.rows)


def test_a_group_by_a_key_is_told_by_the_name(school: FixedCatalog) -> None:
    sketch = named(by(c("tutor"), last=TOP), "who gives the most lessons", school)
    assert sketch == by(c("tutor_name", "tutors"), last=TOP)
    assert rows(sketch, school) == [("Ada Stone", 3)]


def test_two_of_one_name_stay_two(school: FixedCatalog) -> None:
    sketch = named(by(c("pupil_id")), "number of lessons by pupil", school)
    assert sketch == by(c("pupil_name", "pupils"), c("pupil_id"))
    assert sorted(rows(sketch, school)) == [("Ria Brook", 7002, 2), ("Sam Field", 7001, 2), ("Sam Field", 7003, 2)]


@pytest.mark.parametrize(
    "text",
    ["lessons by tutor number", "tutor ids with their lessons", "most lessons per tutor code", "lessons by tutor no"],
)
def test_a_number_that_is_asked_for_is_told(text: str, school: FixedCatalog) -> None:
    assert named(by(c("tutor")), text, school) == by(c("tutor"))


@pytest.mark.parametrize("text", ["number of lessons by tutor", "tutors with no lessons", "no of lessons by tutor"])
def test_counting_and_denying_ask_for_no_number(text: str) -> None:
    assert not asks_for_keys(text.split())


def test_a_value_that_says_something_itself_stays(school: FixedCatalog) -> None:
    assert named(by(c("country")), "lessons by country", school) == by(c("country"))


def test_what_is_listed_is_named_too_and_no_row_is_lost(school: FixedCatalog) -> None:
    listed = named(("rows", ("v2", c("lesson_no"), c("tutor")), ANY, ALL), "lessons and who gave them", school)
    assert listed[1] == ("v2", c("lesson_no"), c("tutor_name", "tutors"))
    assert len(rows(listed, school)) == 6
    alone = ("rows", ("v2", c("minutes"), c("tutor")), ANY, ALL)
    assert named(alone, "minutes and tutor of each lesson", school) == alone


def test_a_name_that_is_there_is_not_told_twice(school: FixedCatalog) -> None:
    sketch = by(c("tutor_name", "tutors"), c("tutor"))
    assert named(sketch, "lessons by tutor", school) == sketch


def test_what_is_sorted_by_the_key_is_sorted_by_the_name(school: FixedCatalog) -> None:
    first = ("first", ("asc",), ("byv", c("tutor")), ("top", ("N", 2.0)))
    made = named(by(c("tutor"), last=first), "first two tutors with their lessons", school)
    assert made[-1] == (*first[:2], ("byv", c("tutor_name", "tutors")), first[3])


STAFF = """emp_id,fst_nm,sur_nm,hr_dt,dpt
1,Ada,Stone,2020-01-02,North
2,Ada,Reed,2021-01-02,South
3,Bo,Reed,2022-03-04,North
"""


@pytest.mark.parametrize(
    ("text", "halves"),
    [
        ("who joined first", ["fst_nm", "sur_nm"]),
        ("names and hire dates", ["fst_nm", "sur_nm"]),
        ("first names only", ["fst_nm"]),
    ],
)
def test_people_are_told_by_both_their_names(text: str, halves: list[str], tmp_path: Path) -> None:
    (tmp_path / "staff.csv").write_text(STAFF)
    catalog = catalog_from_files([tmp_path / "staff.csv"], tmp_path / "tables")
    known, sketch = dictionary_of(catalog), ("rows", ("v2", c("fst_nm", "staff"), c("hr_dt", "staff")), ANY, ALL)
    assert with_full_names(sketch, text.split(), known)[1][1:] == (
        *(c(half, "staff") for half in halves),
        c("hr_dt", "staff"),
    )
    counted = ("group", ("k1", c("sur_nm", "staff")), ("m1", ("count", ("T", "staff"))), ANY, NONE, ALL)
    told = with_full_names(counted, text.split(), known)[1][1:]
    assert told == tuple(c(half, "staff") for half in (halves if len(halves) > 1 else ["sur_nm"]))


def test_keys_of_people_whose_names_are_two_columns_tell_both(tmp_path: Path) -> None:
    visits = "\n".join(f"{n},{1 + n % 3},{10 * (n % 5)}" for n in range(30))
    (tmp_path / "visits.csv").write_text(f"visit_no,emp_id,fee\n{visits}\n")
    (tmp_path / "staff.csv").write_text(STAFF)
    catalog = catalog_from_files([tmp_path / "visits.csv", tmp_path / "staff.csv"], tmp_path / "tables")
    known = dictionary_of(catalog)
    schema = schema_of(
        {t.name: t for t in catalog.tables()}, list(catalog.joins()), namer_of(catalog), date(2025, 3, 31), known
    )
    key = c("emp_id", "visits")
    asked: Sketch = ("group", ("k1", key), ("m1", ("sum", c("fee", "visits"))), ANY, NONE, TOP)
    words = ["which", "employee", "has", "the", "highest", "fee"]
    told = with_full_names(with_names(asked, words, schema, known), words, known)
    assert told[1][1:] == (c("fst_nm", "staff"), c("sur_nm", "staff"), key)
    by_name: Sketch = ("group", ("k1", c("fst_nm", "staff")), *asked[2:])
    told = with_full_names(by_name, words, known)  # two of one name are two
    assert told[1][1:] == (c("fst_nm", "staff"), c("sur_nm", "staff"), c("emp_id", "staff"))
    counted: Sketch = ("group", ("k1", c("fst_nm", "staff")), ("m1", ("count", ("T", "staff"))), ANY, NONE, ALL)
    assert with_full_names(counted, words, known)[1][1:] == (c("fst_nm", "staff"), c("sur_nm", "staff"))
