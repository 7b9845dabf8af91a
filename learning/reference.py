"""Writes anew what the training's network says with the shipped weights, for the test that the shipped arithmetic says
the same.

    python -m learning.reference tests/analyst/reading/reference.json
"""

from __future__ import annotations

import json
import sys
from datetime import date
from pathlib import Path

import torch

from apps.analyst.evaluate.catalogs import cached_catalog
from apps.analyst.reading.encoder import PATH as ENCODER
from apps.analyst.reading.encoder import read
from apps.analyst.reading.linking import link
from apps.analyst.reading.network import PATH as WEIGHTS
from apps.analyst.reading.packed import unpacked
from apps.analyst.types import Question
from learning.examples import STORE, example, shared
from learning.network import Reader, Sizes
from learning.train import batch, prepared

DATABASES = Path(__file__).parent / "databases"
TODAY = date(2025, 6, 30)


def shipped() -> Reader:
    """The training's network with the weights as they are shipped."""
    made = Reader(Sizes(), ENCODER)
    weights = {name: torch.from_numpy(value.copy()) for name, value in unpacked(WEIGHTS)[0].items()}
    made.load_state_dict({**made.state_dict(), **weights})
    return made.eval()


@torch.no_grad()
def main(path: Path) -> None:
    model, known = shipped(), read(ENCODER).pieces
    kept = json.loads(path.read_text(encoding="utf-8"))
    for one in kept:
        folder = DATABASES / one["database"]
        catalog = cached_catalog(folder, sorted(file.name for file in folder.glob("*.csv")), STORE)
        linked = link(Question(one["question"], today=TODAY), catalog)
        target = [(kind, number) for kind, number in one["actions"]]
        asked = example({"id": "", "question": one["question"]}, linked, target)
        database = prepared(shared(one["database"], linked.index, [asked]), known)
        said, _ = model(batch(model, database, database["examples"], train=False))
        one["score"] = round(float(said.sum()), 4)
    path.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
