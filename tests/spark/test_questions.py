"""The demo's questions, asked over both: the same answers, in the same words. SPARK_QUESTIONS=165 asks all of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from apps.analyst.pipeline import answer
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question
from apps.threads.presets import PRESET_QUESTIONS
from tests.apps.demo.demo_frames import the_demo
from tests.apps.demo.promises import PROMISES
from tests.spark.same import differences

DEMO = the_demo()
ASKED = list(dict.fromkeys([*PRESET_QUESTIONS, *PROMISES]))[: int(os.environ.get("SPARK_QUESTIONS", "16"))]


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder = tmp_path_factory.mktemp("demo")
    files: list[Path] = []
    for name, content in DEMO.files.items():
        files.append(folder / name)
        files[-1].write_bytes(content)
    return catalog_from_files(files, folder)


@pytest.mark.parametrize("text", ASKED)
def test_a_question_of_the_demo_is_answered_alike(text, catalog, local, warehouse):
    question = Question(text, today=DEMO.today)
    here, there = (
        answer(question, catalog=catalog, warehouse=asked, learned=False, onward=False) for asked in (local, warehouse)
    )
    assert here.status == there.status == "answered"
    assert here.result is not None
    assert there.result is not None
    assert differences(here.result, there.result) == []
    assert here.text == there.text
