"""What the words' encoder makes of a database's names and questions, kept from step to step of a training."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from apps.analyst.reading.encoder import UNKNOWN
from learning.network import Reader

NEVER = -1e9
AT_ONCE = 64
"""So many texts pass the encoder at once."""
KEPT_FOR = 16
"""Batches of a database for which the states of its names are kept, where the encoder learns."""
DROPPED = 0.12
"""The share of pieces that training takes for unknown ones."""


def side_by_side(texts: list[tuple[list[int], np.ndarray]]) -> tuple[Tensor, Tensor, Tensor]:
    """Texts in pieces as one batch: rows, what is hidden of them, and the words' shares (texts, words, pieces)."""
    longest, words = max(len(rows) for rows, _ in texts), max(len(shares) for _, shares in texts)
    rows, shares = np.zeros((len(texts), longest), np.int64), np.zeros((len(texts), words, longest), np.float32)
    hidden = np.full((len(texts), longest), NEVER, np.float32)
    for n, (own, parts) in enumerate(texts):
        rows[n, : len(own)], hidden[n, : len(own)] = own, 0
        shares[n, : len(parts), : len(own)] = parts
    return torch.from_numpy(rows), torch.from_numpy(hidden), torch.from_numpy(shares)


@torch.no_grad()
def states_of(model: Reader, db: dict[str, Any]) -> Tensor:
    """The words' states of a database's names and values; made anew after some visits, as the encoder learns."""
    age, states = db.get("states", (KEPT_FOR, None))
    if age >= KEPT_FOR:
        was, age = model.words.training, 0
        model.words.eval()
        parts = zip(*(part.split(AT_ONCE) for part in db["called"]), strict=True)
        states = torch.cat([model.words(*part)[:, 0] for part in parts])
        model.words.train(was)
    db["states"] = (age + 1, states)
    return states


def passed(model: Reader, encoder: Path, db: dict[str, Any], folder: Path) -> None:
    """Gives a database the states of its names, and each question those of its words, twice: as they are, and as
    training would see them (some pieces unknown, the encoder's dropout). They are kept in `folder`, and made anew where
    another encoder or other questions made them."""
    kept, stamp = folder / f"{db['name']}.npz", _stamp(encoder, db)
    read = dict(np.load(kept)) if kept.exists() else {}
    if read.get("stamp") != stamp:
        read = {"stamp": np.array(stamp), **_encoded(model, db)}
        folder.mkdir(parents=True, exist_ok=True)
        np.savez(kept, **read)
    db["names"], at = torch.from_numpy(read["names"].astype(np.float32)), 0
    for ex in db["examples"]:
        ex["words"] = read["words"][:, at : at + len(ex["tokens"])]
        at += len(ex["tokens"])


def _stamp(encoder: Path, db: dict[str, Any]) -> int:
    texts = [
        " ".join(words) for words in (*(ex["said"] for ex in db["examples"]), *db["node_words"], *db["item_words"])
    ]
    return zlib.crc32("\n".join(texts).encode(), zlib.crc32(encoder.read_bytes()))


@torch.no_grad()
def _encoded(model: Reader, db: dict[str, Any]) -> dict[str, np.ndarray]:
    """The states of the names, and of the questions' words one behind the other, both ways (2, words, width)."""
    shown = []
    for start in range(0, len(db["examples"]), AT_ONCE):
        picked = db["examples"][start : start + AT_ONCE]
        rows, hidden, shares = side_by_side([(ex["pieces"], ex["shares"]) for ex in picked])
        dropped = rows.masked_fill((torch.rand(rows.shape) < DROPPED) & (rows > UNKNOWN), UNKNOWN)
        clean = model.words.eval()(rows, hidden, shares)
        noisy = model.words.train()(dropped, hidden, shares)
        shown += [np.stack([c, d])[:, : len(ex["tokens"])] for ex, c, d in zip(picked, clean, noisy, strict=True)]
    model.words.eval()
    return {
        "names": states_of(model, db).numpy().astype(np.float16),
        "words": np.concatenate(shown, 1).astype(np.float16),
    }
