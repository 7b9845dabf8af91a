"""Counts in the questions of how many databases each word stands: `apps/analyst/reading/commonness.txt`.

    python -m learning.commonness FOLDER... [--without NAME,...]

A word that people use whatever their data are about ("each", "still", "split") says less of one of them than a word of
that trade. Databases in --without, and those of `learning/held.txt`, are not counted: the judge is fitted to questions
over databases whose words were not counted.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from pathlib import Path

from apps.analyst.reading.commonness import PATH
from apps.analyst.reading.linking import tokens_of
from learning.judging import jobs_of

LEAST = 2
"""Words of fewer databases are left out: they are as rare as those that were never seen."""


def counted(folders: list[Path], without: set[str]) -> tuple[int, Counter[str]]:
    """How many databases there are, and in the questions of how many each word stands."""
    total, found = 0, Counter[str]()
    for folder in folders:
        for job in jobs_of(folder, set(), folder):
            if job.name not in without:
                total += 1
                found.update({token for item in job.items for token in tokens_of(item["question"])})
    return total, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--without", default="")
    o = parser.parse_args()
    held = (Path(__file__).parent / "held.txt").read_text(encoding="utf-8").strip().split(",")
    total, found = counted(o.folders, {*held, *filter(None, o.without.split(","))})
    by_count: dict[int, list[str]] = defaultdict(list)
    for word, count in found.items():
        if count >= LEAST:
            by_count[count].append(word)
    lines = [str(total), *(f"{n} {' '.join(sorted(by_count[n]))}" for n in sorted(by_count, reverse=True))]
    PATH.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
