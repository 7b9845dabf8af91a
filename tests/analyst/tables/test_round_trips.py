"""Whatever clean table is written as CSV comes back as it was."""

from __future__ import annotations

import csv
import io
import string
import tempfile
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pyarrow.parquet as pq
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.analyst.errors import ReadFailed
from apps.analyst.tables import dates, ingestion, numbers, source
from apps.analyst.tables.results import no_progress

WORDS = st.text(string.ascii_letters + " äöüßéñ中,;\"'\n%$()-_/", min_size=1, max_size=20).map(
    lambda text: "w" + text.strip() + "w"
)
NAMES = st.text(string.ascii_letters + " _äé", min_size=1, max_size=12).map(lambda text: "n" + " ".join(text.split()))
COLUMNS = st.sampled_from(["words", "integers", "decimals", "floats", "dates", "moments", "truth"])
VALUES = {
    "words": WORDS,
    "integers": st.integers(-(10**15), 10**15).filter(lambda n: not 19_000_000 < n < 21_000_000),
    "decimals": st.decimals(-(10**9), 10**9, places=2),
    "floats": st.floats(-1e12, 1e12, allow_nan=False).filter(lambda f: f == 0 or abs(f) > 1e-6),
    "dates": st.dates(date(1900, 1, 1), date(2099, 12, 31)),
    "moments": st.datetimes(datetime(1900, 1, 1), datetime(2099, 12, 31)).map(lambda m: m.replace(microsecond=0)),
    "truth": st.booleans(),
}


@st.composite
def tables(draw):
    kinds = draw(st.lists(COLUMNS, min_size=1, max_size=5))
    names = draw(st.lists(NAMES, min_size=len(kinds), max_size=len(kinds), unique_by=str.casefold))
    height = draw(st.integers(3, 12))
    columns = [draw(st.lists(VALUES[kind], min_size=height, max_size=height)) for kind in kinds]
    first = [f"first{index}" for index in range(height)]
    return ["first", *names], ["words", *kinds], [first, *columns]


def written(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    return repr(value) if isinstance(value, float) else str(value)


def as_csv(names: list[str], columns: list[list[object]]) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(names)
    writer.writerows([[written(cell) for cell in row] for row in zip(*columns, strict=True)])
    return buffer.getvalue()


def read_back(text: str, folder: Path, *, large: bool) -> dict[str, list[object]]:
    path = folder / "upload"
    path.write_text(text, encoding="utf-8", newline="")
    found = source.examine(path, "file.csv")
    if large:
        ingested = ingestion.ingest_bulk(found, "file", folder, no_progress)
    else:
        ingested = ingestion.ingest(path, "file.csv", folder)[0]
    return pq.read_table(ingested.table.path).to_pydict()


def same(kind: str, got: object, meant: object) -> bool:
    if kind == "moments" and isinstance(got, date) and not isinstance(got, datetime):
        got = datetime(got.year, got.month, got.day)
    if isinstance(got, int | float | Decimal) and not isinstance(got, bool):
        return float(got) == float(meant)  # type: ignore[arg-type]
    return got == meant


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(tables())
def test_a_clean_table_comes_back_as_it_was(table):
    names, kinds, columns = table
    with tempfile.TemporaryDirectory() as folder:
        got = read_back(as_csv(names, columns), Path(folder), large=False)
    assert list(got) == names
    for name, kind, meant in zip(names, kinds, columns, strict=True):
        assert all(same(kind, a, b) for a, b in zip(got[name], meant, strict=True)), (kind, got[name], meant)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(tables())
def test_small_and_large_files_are_read_alike(table):
    names, _, columns = table
    text = as_csv(names, columns)
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        assert read_back(text, Path(one), large=False) == read_back(text, Path(other), large=True)


@given(st.text(max_size=40))
def test_no_cell_makes_a_reader_fail(text):
    numbers.take_apart(text)
    dates.take_apart(text)
    numbers.NumberStyle(decimal_comma=True, words=True).read(text)
    dates.DateStyle(compact=True, keep_time=True).read(text)


@given(st.decimals(-(10**12), 10**12, places=2), st.booleans(), st.sampled_from(["", "$", "€", "%"]))
def test_grouped_numbers_are_read_in_both_styles(value, comma, mark):
    text = f"{value:,.2f}"
    if comma:
        text = text.replace(",", " ").replace(".", ",").replace(" ", ".")
    text = f"{text}{mark}" if mark == "%" else text.replace("-", f"-{mark}") if value < 0 else mark + text
    assert numbers.NumberStyle(decimal_comma=comma).read(text) == value


@settings(max_examples=40, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_end_as_a_table_or_a_plain_refusal(content):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "upload"
        path.write_bytes(content)
        assert refusal_of(path, Path(folder) / "out").startswith(("file.csv", "fine"))


def refusal_of(path: Path, out: Path) -> str:
    try:
        ingestion.ingest(path, "file.csv", out)
    except ReadFailed as error:
        return error.message
    return "fine"
