"""What a driver of Spark writes on its way goes with it, also where its process was killed."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest

from apps.analyst.computing.warehouse.spark import process
from apps.analyst.computing.warehouse.spark.process import Driver, drivers_sweep

PYTHON = """#!{python}
import json, os, pathlib, sys
sys.stdin.readline()
pathlib.Path(os.environ["SPARK_LOCAL_DIRS"], "shuffled").write_text("cells")
pathlib.Path(os.environ["TMPDIR"], "spilled").write_text("cells")
print(json.dumps({{"ready": True}}), flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The machine's folder for temporary files."""
    folder = tmp_path / "machine"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.delenv("SPARK_LOCAL_DIRS", raising=False)
    return folder


@pytest.fixture
def python(tmp_path: Path) -> Path:
    path = tmp_path / "python"
    path.write_text(PYTHON.format(python=sys.executable))
    path.chmod(0o755)
    return path


def test_all_that_it_writes_is_in_its_folder_which_goes_with_it(machine: Path, python: Path) -> None:
    driver = Driver(python, "local", {}, 20.0)
    (folder,) = machine.iterdir()
    assert {path.name for path in folder.iterdir()} == {"shuffled", "spilled"}
    driver.end()
    assert list(machine.iterdir()) == []


def test_the_folder_of_a_killed_process_goes_and_those_of_the_living_and_of_others_stay(
    machine: Path, python: Path
) -> None:
    driver = Driver(python, "local", {}, 20.0)
    (living,) = machine.iterdir()
    left = machine / f"{process._PREFIX}left"
    left.mkdir()
    (left / "shuffled").write_text("cells")
    others = machine / "spark-of-another-product"
    others.mkdir()
    drivers_sweep()
    assert set(machine.iterdir()) == {living, others}
    driver.end()


def test_a_new_driver_removes_what_a_killed_one_left(machine: Path, python: Path) -> None:
    (machine / f"{process._PREFIX}left").mkdir()
    driver = Driver(python, "local", {}, 20.0)
    assert len(list(machine.iterdir())) == 1
    driver.end()
