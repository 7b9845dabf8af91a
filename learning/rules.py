"""Where each production of the grammar is at work, and what is lost without it.

    python -m learning.rules EXAMPLES... [--computed FOLDER,...] [--few 5]

EXAMPLES are folders of `learning/examples.py`: of each production, in how many databases and questions the right plans
use it. --computed are folders of `learning/judging.py`: of the questions in them that have a right reading, the share
whose right plan uses the production, so that they would have none without it; and of each reader of whole kinds of
questions, in how many databases it reads, and the share of questions that none but it reads rightly.
"""

from __future__ import annotations

import argparse
import pickle
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from apps.analyst.reading.sketch import PRODUCTIONS


@dataclass
class Use:
    """Where a production or a reader is used."""

    databases: set[str] = field(default_factory=set)
    questions: set[str] = field(default_factory=set)
    lost: set[str] = field(default_factory=set)
    """Questions read rightly that would have no right reading without it."""


def of_examples(folders: Iterable[Path]) -> dict[str, Use]:
    """The use of every production in the right plans; those that none uses are among them."""
    used: dict[str, Use] = {name: Use() for name in PRODUCTIONS}
    for path in sorted(file for folder in folders for file in folder.glob("*.pickle")):
        database: dict[str, Any] = pickle.loads(path.read_bytes())
        for example in database["examples"]:
            for name in {PRODUCTIONS[place] for kind, place in example["target"] if kind == "="}:
                used[name].databases.add(database["name"])
                used[name].questions.add(example["id"])
    return used


def computed(folders: Iterable[Path]) -> Iterator[dict[str, Any]]:
    """The questions of folders that `learning/judging.py` wrote, without those of other databases."""
    for path in sorted(file for folder in folders for file in folder.glob("*.pickle")):
        yield from (question for question in pickle.loads(path.read_bytes()) if question["source"] != "foreign")


def of_readings(questions: Iterable[dict[str, Any]], productions: dict[str, Use]) -> tuple[dict[str, Use], int]:
    """The use of every reader, and how many questions have a right reading; in `productions` what is lost without each
    is filled in."""
    readers: dict[str, Use] = defaultdict(Use)
    right = 0
    using: dict[str, list[Use]] = defaultdict(list)
    for use in productions.values():
        for question in use.questions:
            using[question].append(use)
    for question in questions:
        good = {reader for reader, is_right in zip(question["from"], question["right"], strict=True) if is_right}
        for reader in set(question["from"]):
            readers[reader].databases.add(question["db"])
            readers[reader].questions.add(question["id"])
        if not good:
            continue
        right += 1
        if len(good) == 1:
            readers[good.pop()].lost.add(question["id"])
        for use in using[question["id"]]:
            use.lost.add(question["id"])
    return readers, right


def table(used: dict[str, Use], right: int) -> list[str]:
    """Lines of name, databases, questions and points lost, the rarest first."""
    rows = sorted(used.items(), key=lambda item: (len(item[1].databases), len(item[1].questions), item[0]))
    return [
        f"{name:16} {len(use.databases):4} databases {len(use.questions):6} questions"
        + (f" {100 * len(use.lost) / right:6.2f} of 100 right readings lost without it" if right else "")
        for name, use in rows
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("examples", nargs="+", type=Path)
    parser.add_argument("--computed", default="", help="folders of learning/judging.py, between commas")
    parser.add_argument("--few", type=int, default=5, help="productions in fewer databases are named at the end")
    o = parser.parse_args()
    productions = of_examples(o.examples)
    readers, right = of_readings(computed(map(Path, filter(None, o.computed.split(",")))), productions)
    print("\n".join(table(productions, right)))
    print("\n".join(table(readers, right)))
    few = [name for name, use in productions.items() if len(use.databases) < o.few]
    print(f"in fewer than {o.few} databases: {' '.join(few) or 'none'}")


if __name__ == "__main__":
    main()
