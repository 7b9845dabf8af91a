"""Trains the network on the examples of `learning/examples.py`.

    python -m learning.train OUT FOLDER... [--held NAME,NAME] [--minutes 40] [--seed 1] [--states FOLDER] [--joint 4]
                             [--agree 0.3] [--beside RANK]

Databases in --held are left out and scored: the share of questions whose every action is the likeliest one. With
--states the words' encoder stays as it is and passes each question and name once, into that folder: several times as
many steps an hour, for when the encoder has learned what it needs.
"""

from __future__ import annotations

import argparse
import copy
import math
import pickle
import random
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from apps.analyst.reading.encoder import PATH, read
from apps.analyst.reading.packed import unpacked
from learning.adapting import adapt, is_beside
from learning.batches import batch, pairs_of, prepared
from learning.network import Reader, Sizes, apart, saved
from learning.states import passed

ENCODER_RATE = 0.15
"""The words' encoder learns so much slower: it begins with what it knows."""
LINKING = 0.25
"""The weight of telling apart what a question names (`Reader.linking`) beside writing its sketch."""
MEMORY = 0.999
"""The weights that are kept are a running mean over the last steps' (Polyak averaging): this much of it stays."""


@torch.no_grad()
def scored(model: Reader, dbs: list[dict[str, Any]]) -> tuple[float, float]:
    """The share of questions with every action right, and the mean loss of a question."""
    model.eval()
    for db in dbs:
        db.pop("states", None)
    right = total = 0
    loss = 0.0
    for db in dbs:
        for start in range(0, len(db["examples"]), 32):
            picked = db["examples"][start : start + 32]
            said, hits = model(batch(model, db, picked, train=False))
            right += int(hits.all(1).sum())
            loss -= float(said.sum())
            total += len(picked)
    model.train()
    return right / max(1, total), loss / max(1, total)


def earlier(path: Path) -> dict[str, Tensor]:
    """Weights by name: of a run of this module, or of a file that the reader uses, which holds all but the encoder's
    (these come from --encoder)."""
    if path.suffix == ".npz":
        return {name: torch.from_numpy(value) for name, value in unpacked(path)[0].items()}
    kept: dict[str, Tensor] = torch.load(path, weights_only=False)["weights"]
    return kept


def begun_with(model: Reader, kept: dict[str, Tensor]) -> None:
    """Starts from weights of an earlier run, also where productions were added at the end of the grammar since, or
    joint layers behind the others: these change nothing before they have learned."""
    own = model.state_dict()
    had, has = sum(name.endswith(".qkv.weight") and name.startswith("joint.") for name in kept), model.s.joint_layers
    if had < has:
        moved = {f"between.{had + k}.weight": f"between.{has + k}.weight" for k in range(model.s.node_layers)}
        kept = {moved.get(name, name): value for name, value in kept.items()}
        for layer in range(had, has):
            for part in ("out.weight", "out.bias", "down.weight", "down.bias"):
                own[f"joint.{layer}.{part}"].zero_()
            for part in (
                "to_node.{}.weight",
                "to_node.{}.bias",
                "to_token.{}.weight",
                "to_token.{}.bias",
                "between.{}.weight",
            ):
                own[part.format(layer)].copy_(kept[part.format(had - 1)])
    for name, value in kept.items():
        if own[name].shape == value.shape:
            own[name] = value
        elif own[name].dim() and own[name].shape[1:] == value.shape[1:]:
            extra = name in ("production.weight", "parent.weight")  # the last row stands for "none before"
            count = len(value) - extra
            own[name][:count] = value[:count]
            if extra:
                own[name][-1] = value[-1]
        elif own[name].dim() == 2 and len(own[name]) == len(value):
            own[name][:] = 0  # features were added at the end: they count for nothing yet
            own[name][:, : value.shape[1]] = value
    model.load_state_dict(own)


@torch.no_grad()
def followed(average: Reader, model: Reader, step: int) -> None:
    """Moves the mean of the weights towards the weights."""
    stays = min(MEMORY, step / (step + 10))
    for mean, value in zip(average.parameters(), model.parameters(), strict=True):
        mean.lerp_(value, 1 - stays)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--held", default="", help="databases that are left out and scored")
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=7e-4)
    parser.add_argument("--batch", type=int, default=16, help="questions of one database a step and process")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--encoder", type=Path, default=PATH, help="the words' encoder to go on from")
    parser.add_argument("--steps", type=int, help="end after so many steps instead")
    parser.add_argument("--states", type=Path, help="where the states of a words' encoder that stays are kept")
    parser.add_argument("--joint", type=int, default=Sizes.joint_layers, help="layers over words and names together")
    parser.add_argument(
        "--beside", type=int, default=0, help="leave all weights and learn small maps of this rank beside"
    )
    parser.add_argument("--agree", type=float, default=0.0, help="the weight of wordings being read alike")
    parser.add_argument("--start", type=Path, help="weights to go on from: of an earlier run, or those shipped (.npz)")
    o = parser.parse_args()
    meeting = tempfile.mktemp()
    torch.multiprocessing.spawn(trained, (o, meeting), nprocs=o.processes)


def trained(rank: int, o: argparse.Namespace, meeting: str) -> None:
    """One of the processes that train together: each takes its share of the databases, gradients are averaged."""
    torch.distributed.init_process_group("gloo", init_method=f"file://{meeting}", rank=rank, world_size=o.processes)
    torch.set_num_threads(1)
    random.seed(o.seed + rank)
    np.random.seed(o.seed + rank)
    torch.manual_seed(o.seed)
    held = set(filter(None, o.held.split(",")))
    known = read(o.encoder).pieces
    paths = [path for folder in o.folders for path in sorted(folder.glob("*.pickle"))]
    left = [path for path in paths if path.stem in held] if rank == 0 else []
    own = [path for path in paths if path.stem not in held][rank :: o.processes]
    train, kept = (
        [db for path in part if (db := prepared(pickle.loads(path.read_bytes()), known))["examples"]]
        for part in (own, left)
    )
    model = Reader(Sizes(joint_layers=o.joint), o.encoder)
    kept_before = earlier(o.start) if o.start else {}
    learned_beside = any(is_beside(name) for name in kept_before)  # the run before had small maps, too
    if kept_before and not learned_beside:
        begun_with(model, kept_before)
    if o.beside:
        adapt(model, o.beside)
    if learned_beside:
        model.load_state_dict(kept_before)
    torch.manual_seed(o.seed + rank)
    if rank == 0:
        print(
            f"{sum(len(d['examples']) for d in train)} examples of {len(train)} databases; "
            f"{sum(len(d['examples']) for d in kept)} held; "
            f"{sum(p.numel() for p in model.parameters()) / 1e6:.2f} M weights",
            flush=True,
        )
    if o.states:
        model.words.requires_grad_(False)
        for db in [*train, *kept]:
            passed(model, o.encoder, db, o.states)
    parameters = [p for p in model.parameters() if p.requires_grad]
    average = copy.deepcopy(model)
    words = {id(p) for p in model.words.parameters()}
    groups = [
        {"params": [p for p in parameters if id(p) not in words], "share": 1.0},
        {"params": [p for p in parameters if id(p) in words], "share": ENCODER_RATE},
    ]
    optimizer = torch.optim.AdamW(groups, lr=o.rate, weight_decay=0.02, betas=(0.9, 0.98))
    size = max(1, o.batch // 2)
    batches = [(n, k) for n, db in enumerate(train) for k in range(math.ceil(len(pairs_of(db["examples"])) / size))]
    begun, step, shown, done = time.time(), 0, 0.0, 0.0
    while done < 1:
        random.shuffle(batches)
        drawn = [pairs_of(db["examples"]) for db in train]
        for n, k in batches:
            rate = o.rate * min(1, (step + 1) / 200) * max(0.01, 0.5 * (1 + math.cos(math.pi * min(1, done))))
            for g in optimizer.param_groups:
                g["lr"] = rate * g["share"]
            picked = drawn[n][k * size : (k + 1) * size]
            b = batch(
                model, train[n], [ex for side in zip(*picked, strict=True) for ex in side], train=True, paired=True
            )
            e = model.encode(b)
            every = model.choices(b, e)
            loss = -model.target(b, every).sum() / (2 * len(picked))
            linking = 0.0 if o.beside else LINKING * model.linking(b, e)
            ((loss + linking + o.agree * apart(every, b)) / 8).backward()
            passed_by = step / o.steps if o.steps else (time.time() - begun) / (60 * o.minutes)
            done = averaged(parameters, passed_by, o.processes)
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            shown = 0.98 * shown + 0.02 * float(loss.detach()) if shown else float(loss.detach())
            step += 1
            followed(average, model, step)
            if rank == 0 and step % 500 == 0:
                share, held_loss = scored(average, kept)
                print(
                    f"{(time.time() - begun) / 60:.1f} min step {step} loss {shown:.3f} "
                    f"held {share:.3f} {held_loss:.3f}",
                    flush=True,
                )
                torch.save(saved(average), o.out)
            if done >= 1:
                break
    if rank == 0:
        torch.save(saved(average), o.out)
        print("end", step, scored(average, kept), flush=True)
    torch.distributed.barrier()


def averaged(parameters: list[torch.nn.Parameter], own: float, processes: int) -> float:
    """Averages gradients over the processes; returns the mean of `own`, by which all end together."""
    grads = [p.grad if p.grad is not None else torch.zeros_like(p) for p in parameters]
    flat = torch.cat([*[g.flatten() for g in grads], torch.tensor([own])])
    torch.distributed.all_reduce(flat)
    flat /= processes
    at = 0
    for p, g in zip(parameters, grads, strict=True):
        p.grad = flat[at : at + g.numel()].view_as(p).clone()
        at += g.numel()
    return float(flat[-1])


if __name__ == "__main__":
    main()
