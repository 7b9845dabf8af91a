"""Which of several files is meant is kept for the organization, from the question back and from an answer's files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from apps.datasources.models import Teaching
from tests.apps.conftest import Cast
from tests.apps.threads.conftest import Member
from tests.apps.threads.readings import ASKED, PATH, asked, asking, others, take

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def of_two(ana: Member, cast: Cast, tmp_path: Path) -> Iterator[Member]:
    """Ana asking about two files of the same columns."""
    yield from asking(ana, cast, tmp_path, "orders north", "orders south")


def test_the_question_which_file_keeps_with_always_which_comes_first(of_two: Member, cast: Cast) -> None:
    done = of_two.ask(ASKED)
    said = done["messages"][0]["children"][0]
    assert said["answer"]["status"] == "clarify"
    taught = {one["label"]: one["teaches"] for one in said["answer"]["choices"]}
    assert taught["orders south"] == "orders south will be taken before orders north where a question names no file."
    about = {
        "thread_id": done["thread_id"],
        "message_id": said["message_id"],
        "choice": list(taught).index("orders south"),
    }
    assert of_two.client.put(PATH, about, format="json").status_code == 200
    (entry,) = Teaching.objects.of(cast.acme).filter(current=True)
    assert (entry.table_name, entry.column, entry.after) == ("orders south", "", {"before": ["orders north"]})


def test_always_on_the_files_of_an_answer_keeps_which_comes_first(of_two: Member, cast: Cast) -> None:
    named = asked(of_two, f"{ASKED} in orders north")
    chips = {one["part"]: one["key"] for one in named["answer"]["read_as"]["chips"]}
    assert {one["teaches"] for one in others(of_two, named, chips["files"])} == {None}, "the question names its file"

    done = of_two.ask("Average gross amount by region", thread_id=named["about"]["thread_id"])
    said = done["messages"][0]["children"][0]["children"][0]["children"][0]
    said["about"] = {"thread_id": done["thread_id"], "message_id": said["message_id"]}
    found = {one["label"]: one for one in others(of_two, said, chips["files"])}
    south = next(one for label, one in found.items() if label.startswith("In orders south"))
    assert take(of_two, said, chips["files"], south, always=True).status_code == 200
    (entry,) = Teaching.objects.of(cast.acme).filter(current=True)
    assert (entry.table_name, entry.after) == ("orders south", {"before": ["orders north"]})
    assert len(found) == 1
