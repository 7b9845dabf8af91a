"""The product's own engine behind a validation: real files, real children, no script."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from apps.threads import engine
from tests.analyst.plans.sales import sales_catalog
from tests.apps.conftest import Cast
from tests.apps.threads.conftest import Letterbox, Member
from tests.apps.threads.test_validations import answers_in, validate
from tests.cast import client_of


@pytest.fixture
def asker(cast: Cast, letterbox: Letterbox, tmp_path: Path) -> Iterator[Member]:
    catalog = sales_catalog(tmp_path)
    made = engine.local()
    engine.use(replace(made, catalog_of=lambda organization: catalog))
    yield Member(client_of(cast.ana), letterbox)
    engine.use(None)
    made.close()


@pytest.mark.django_db(transaction=True)
def test_an_answer_is_checked_by_three_ways_and_the_join_that_repeats_rows_is_found(asker: Member) -> None:
    run = asker.ask("What is the total quota by activity kind?")
    (given,) = answers_in(run)
    assert given["answer"]["status"] == "answered", given["content"]
    begun = validate(asker, run).json()
    asker.letterbox.deliver()
    done = asker.poll(begun)
    assert done["status"] == "completed", done["error"]
    groups = {answer["model"]: answer["metadata"]["consensus_group"] for answer in answers_in(done)}
    groups.pop("learned", None)  # another reader may read it otherwise; here it is computed in three ways
    assert groups.keys() == {"builtin", "frames", "sheet"}
    assert groups["builtin"] == groups["frames"] == "A" != groups["sheet"]
    sheet = next(answer for answer in answers_in(done) if answer["model"] == "sheet")
    assert sheet["answer"]["parting"]["step"] == "join"
    assert sheet["answer"]["table"]["rows"] != given["answer"]["table"]["rows"]
    assert sheet["answer"]["evidence"]["row_count"] > 0
    (selected,) = [answer for answer in answers_in(done) if answer["model"] == "builtin"]
    assert selected["answer"]["check"]["state"] == "disputed"
    assert selected["answer"]["check"]["recomputed"] == (
        "Recomputed in 2 other ways: 1 with the same figures, 1 with other figures."
    )
    assert sheet["answer"]["check"]["recomputed"] == "Recomputed in 2 other ways: other figures."
    assert "Recomputed in 2 other ways" in selected["metadata"]["reasoning_trace"]
    assert "Joined everything into one sheet" in sheet["metadata"]["reasoning_trace"]
