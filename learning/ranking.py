"""Trains the network that reads question and plan side by side (`apps/analyst/reading/ranking.py`).

    python -m learning.ranking OUT.npz FOLDER... [--fold 0/2] [--scores FILE] [--minutes 20] [--seed 1]
                               [--start OUT.npz]

On what `learning/judging.py` kept: of one question's plans the right ones are to score above the wrong ones, and each
plan by itself is to be known for right or wrong. With --fold 0/2 the first of two halves of the databases is left out
and scored: how often the first plan is right by the writing network alone, by this one, and by both; --scores keeps
the scores of its plans, for the judge (`learning/judge.py --scores`), which has to learn from what the ranking makes
of databases that it does not know.
"""

from __future__ import annotations

import argparse
import copy
import json
import pickle
import random
import time
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from apps.analyst.reading.linking import MOST_TOKENS
from apps.analyst.reading.packed import pack, unpacked
from apps.analyst.reading.ranking import FIT_FEATURES, MOST_WORDS, WORD_FEATURES
from apps.analyst.reading.vectors import vectors

STATES = 384
BATCH = 12
"""Questions."""
ALONE = 0.3
"""What each plan by itself counts beside its place among a question's: so a question without an answer lowers all."""
MEMORY = 0.998
NEVER = -1e9


class Layer(nn.Module):
    """Attention with a bias, then a widening."""

    def __init__(self, width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        b, n, d = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(b, n, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(q, k, v, bias)
        x = x + F.dropout(self.out(mixed.transpose(1, 2).reshape(b, n, d)), self.dropout, self.training)
        wide = F.gelu(self.up(self.norm2(x)), approximate="tanh")
        return x + F.dropout(self.down(wide), self.dropout, self.training)


class Ranking(nn.Module):
    """As `Ranker` computes it."""

    def __init__(self, width: int = 128, heads: int = 4, layers: int = 2, dropout: float = 0.15) -> None:
        super().__init__()
        size = vectors().size
        self.sizes, self.dropout = (width, heads, layers), dropout
        self.states, self.words, self.said = nn.Linear(STATES, width), nn.Linear(size, width), nn.Linear(size, width)
        self.fits, self.marks = nn.Linear(FIT_FEATURES, width), nn.Linear(WORD_FEATURES, width)
        self.place_q = nn.Parameter(torch.randn(MOST_TOKENS, width) * 0.02)
        self.place_p = nn.Parameter(torch.randn(MOST_WORDS, width) * 0.02)
        self.start = nn.Parameter(torch.randn(width) * 0.02)
        self.near = nn.ParameterList([nn.Parameter(torch.ones(heads)) for _ in range(layers)])
        self.between = nn.ParameterList([nn.Parameter(torch.zeros(heads, 9)) for _ in range(layers)])
        self.layers = nn.ModuleList([Layer(width, heads, dropout) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)
        self.pool, self.out = nn.Linear(3 * width, width), nn.Linear(width, 1)

    def forward(self, batch: dict[str, Tensor]) -> Tensor:
        """A score a plan."""
        of = batch["question"]
        asked = self.states(batch["states"]) + self.words(batch["embedded"]) + self.place_q[: batch["states"].shape[1]]
        asked = asked[of] + self.fits(batch["fits"])
        plan = self.said(batch["said"]) + self.marks(batch["marks"]) + self.place_p[: batch["said"].shape[1]]
        x = torch.cat([self.start.expand(len(of), 1, -1), asked, plan], 1)
        x = F.dropout(x, self.dropout, self.training)
        q, p = asked.shape[1], plan.shape[1]
        near = F.pad(batch["near"], (1 + q, 0, 1, p))
        near = near + near.transpose(1, 2)
        side = torch.tensor([0] + [1] * q + [2] * p)
        between = side[:, None] * 3 + side[None]
        there = torch.cat([torch.ones(len(of), 1, dtype=torch.bool), batch["q"], batch["p"]], 1)
        for layer, scale, kinds in zip(self.layers, self.near, self.between, strict=True):
            bias = scale[None, :, None, None] * near[:, None] + kinds[:, between][None]
            x = layer(x, bias.masked_fill(~there[:, None, None], NEVER))
        x = self.norm(x)
        means = [
            (x[:, a:b] * m[..., None]).sum(1) / m.sum(1, keepdim=True)
            for a, b, m in ((1, 1 + q, batch["q"]), (1 + q, 1 + q + p, batch["p"]))
        ]
        pooled = torch.cat([x[:, 0], *means], -1)
        return self.out(F.gelu(self.pool(pooled), approximate="tanh"))[:, 0]


def loaded(folders: list[Path]) -> list[dict[str, Any]]:
    """All questions of the folders that have a plan."""
    every = (
        q for folder in folders for path in sorted(folder.glob("*.pickle")) for q in pickle.loads(path.read_bytes())
    )
    return [q for q in every if q.get("plans")]


def fold_of(database: str, folds: int) -> int:
    """The part of the databases that one belongs to."""
    return zlib.crc32(database.encode()) % folds


def batch_of(questions: list[dict[str, Any]]) -> dict[str, Tensor]:
    """Questions with their plans, padded."""
    plans = [(n, plan) for n, q in enumerate(questions) for plan in q["plans"]]
    long = max(len(q["states"]) for q in questions)
    wide = max(len(plan["words"]) for _, plan in plans)
    made = {
        "states": torch.zeros(len(questions), long, STATES),
        "embedded": torch.zeros(len(questions), long, vectors().size),
        "fits": torch.zeros(len(plans), long, FIT_FEATURES),
        "said": torch.zeros(len(plans), wide, vectors().size),
        "marks": torch.zeros(len(plans), wide, WORD_FEATURES),
        "near": torch.zeros(len(plans), long, wide),
        "q": torch.zeros(len(plans), long, dtype=torch.bool),
        "p": torch.zeros(len(plans), wide, dtype=torch.bool),
        "question": torch.tensor([n for n, _ in plans]),
        "right": torch.tensor([r for q in questions for r in q["right"]]),
    }
    for n, q in enumerate(questions):
        made["states"][n, : len(q["states"])] = torch.from_numpy(q["states"].astype(np.float32))
        made["embedded"][n, : len(q["states"])] = torch.from_numpy(q["embedded"].astype(np.float32))
    for n, (of, plan) in enumerate(plans):
        a, b = len(questions[of]["states"]), len(plan["words"])
        made["fits"][n, :a] = torch.from_numpy(plan["fits"].astype(np.float32))
        made["said"][n, :b] = torch.from_numpy(vectors().rows(plan["words"]))
        made["marks"][n, :b] = torch.from_numpy(plan["marks"].astype(np.float32))
        made["near"][n, :a, :b] = torch.from_numpy(plan["near"].astype(np.float32))
        made["q"][n, :a], made["p"][n, :b] = True, True
    return made


def loss_of(scores: Tensor, batch: dict[str, Tensor]) -> Tensor:
    """The right plans' share of a question's, where it has right and wrong ones, and each plan by itself."""
    of, right = batch["question"], batch["right"]
    rows = [scores[of == n] for n in range(int(of.max()) + 1)]
    goods = [right[of == n] for n in range(len(rows))]
    told_apart = (good.any() and not good.all() for good in goods)
    shares = [
        torch.logsumexp(row, 0) - torch.logsumexp(row[good], 0)
        for row, good, apart in zip(rows, goods, told_apart, strict=True)
        if apart
    ]
    alone = F.binary_cross_entropy_with_logits(scores, right.float())
    return (torch.stack(shares).mean() if shares else 0) + ALONE * alone


@torch.no_grad()
def scored(model: Ranking, questions: list[dict[str, Any]]) -> list[Tensor]:
    """The scores of each question's plans."""
    model.eval()
    made: list[Tensor] = []
    for at in range(0, len(questions), 32):
        some = questions[at : at + 32]
        made += model(batch_of(some)).split([len(q["plans"]) for q in some])
    model.train()
    return made


def report(held: list[dict[str, Any]], scores: list[Tensor]) -> None:
    """How often the first plan is right, of the questions that have right and wrong ones."""
    firsts: dict[str, list[bool]] = {}
    for q, own in zip(held, scores, strict=True):
        if not any(q["right"]) or all(q["right"]):
            continue
        wrote = torch.tensor([-12.0 if n is None else n for n in q["network"]])
        both = {f"both {k}": wrote + k * own for k in (0.3, 0.6, 1.0)}
        for name, score in {"network": wrote, "ranking": own, **both}.items():
            firsts.setdefault(name, []).append(q["right"][int(score.argmax())])
    print({name: round(float(np.mean(rights)), 4) for name, rights in firsts.items()}, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--fold", default="", help="which part of the databases to leave out, of how many: 0/2")
    parser.add_argument("--scores", type=Path, help="where the scores of what is left out are kept")
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--rate", type=float, default=8e-4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="weights to go on from")
    o = parser.parse_args()
    torch.manual_seed(o.seed)
    torch.set_num_threads(1)
    rng = random.Random(o.seed)
    every = loaded(o.folders)
    fold, folds = (int(n) for n in (o.fold or "-1/1").split("/"))
    held = [q for q in every if fold_of(q["db"], folds) == fold]
    questions = [q for q in every if fold_of(q["db"], folds) != fold]
    print(len(questions), "questions,", len(held), "held", flush=True)
    model = Ranking()
    if o.start:
        model.load_state_dict({name: torch.from_numpy(value) for name, value in unpacked(o.start)[0].items()})
    kept = copy.deepcopy(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=o.rate, weight_decay=0.05)
    begun, step, total = time.time(), 0, 0.0
    while (gone := (time.time() - begun) / (60 * o.minutes)) < 1:
        rng.shuffle(questions)
        for at in range(0, len(questions), BATCH):
            gone = (time.time() - begun) / (60 * o.minutes)
            if gone >= 1:
                break
            for group in optimizer.param_groups:
                group["lr"] = o.rate * min(1, (step + 1) / 100) * max(0.02, 1 - gone)
            batch = batch_of(questions[at : at + BATCH])
            loss = loss_of(model(batch), batch)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            step, total = step + 1, total + loss.item()
            with torch.no_grad():
                for mean, now in zip(kept.parameters(), model.parameters(), strict=True):
                    mean.lerp_(now, 1 - min(MEMORY, step / (step + 10)))
            if step % 300 == 0:
                print(f"{step} {time.time() - begun:.0f}s loss {total / 300:.3f}", flush=True)
                total = 0.0
            if held and step % 900 == 0:
                report(held[::4], scored(kept, held[::4]))
    if held:
        scores = scored(kept, held)
        report(held, scores)
        if o.scores:
            lines = ({"id": q["id"], "scores": own.tolist()} for q, own in zip(held, scores, strict=True))
            o.scores.write_text("".join(json.dumps(line) + "\n" for line in lines))
    pack({n: v.numpy() for n, v in kept.state_dict().items()}, o.out, sizes=np.array(kept.sizes))


if __name__ == "__main__":
    main()
