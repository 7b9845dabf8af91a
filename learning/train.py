"""Trains the network on the examples of `learning/examples.py`.

    python -m learning.train OUT FOLDER... [--held NAME,NAME] [--minutes 40] [--seed 1] [--states FOLDER] [--joint 4]
                             [--agree 0.3]

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
import re
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from apps.analyst.reading.encoder import PATH, UNKNOWN, Pieces, read
from apps.analyst.reading.linking import CHANNELS, TOKEN_FEATURES, VALUE_FEATURES
from apps.analyst.reading.packed import unpacked
from apps.analyst.reading.sketch import PRODUCTIONS
from learning.network import KIND, LEAF, Reader, Sizes, apart, parts_of, saved
from learning.states import DROPPED, NEVER, passed, side_by_side, states_of

AMOUNTS = 8.0
ENCODER_RATE = 0.15
"""The words' encoder learns so much slower: it begins with what it knows."""
FRESH = 20
"""So many of the names that a batch's questions mean, and of others, pass the encoder with their gradient."""
WORDING = re.compile(r"(?<=\d)-p?\d+$")
"""What tells the wordings of one question apart in their ids ("shop-12-3", "saas-001-p1")."""
LINKING = 0.25
"""The weight of telling apart what a question names (`Reader.linking`) beside writing its sketch."""
MEMORY = 0.999
"""The weights that are kept are a running mean over the last steps' (Polyak averaging): this much of it stays."""


def prepared(db: dict[str, Any], known: Pieces) -> dict[str, Any]:
    """A database with its questions in pieces and its targets as the decoder's inputs."""
    for ex in db["examples"]:
        ex["steps"] = steps(ex, db)
        ex["pieces"], ex["shares"] = known.text(ex["said"])
    db["examples"] = [ex for ex in db["examples"] if ex["steps"] is not None]
    names = [known.text(words) for words in [*db["node_words"], *db["item_words"]]]
    db["called"] = side_by_side([(rows, shares.mean(0, keepdims=True)) for rows, shares in names])
    return db


def batch(
    model: Reader, db: dict[str, Any], picked: list[dict[str, Any]], *, train: bool, paired: bool = False
) -> dict[str, Tensor]:
    """Some questions of one database with the states of its names; in training those of what the questions mean, and
    of some others, are made anew, so that the encoder learns from both sides."""
    frozen, nodes = "names" in db, len(db["nodes"])
    states = db["names"] if frozen else states_of(model, db)
    made = collate(db, picked, train=train, paired=paired)
    if train and not frozen:
        meant = F.pad(torch.cat([made["meant"].any(0), made["meant_values"].any(0)]), (0, len(states)))[: len(states)]
        other = torch.rand(len(states)) * ~meant
        picks = torch.cat([meant.nonzero()[:FRESH, 0], other.topk(min(FRESH, len(other))).indices]).unique()
        rows, hidden, shares = (part[picks] for part in db["called"])
        states = states.index_copy(0, picks, model.words(rows, hidden, shares)[:, 0])
    return {**made, "labels": states[:nodes], "values": states[nodes:]}


def steps(ex: dict[str, Any], db: dict[str, Any]) -> dict[str, np.ndarray] | None:
    """Kinds wanted, parents, slots and previous actions along the target."""
    stack: list[tuple[str, int, int]] = [("Q", len(PRODUCTIONS), 0)]
    rows = []
    prev = ("=", len(PRODUCTIONS))
    for kind, number in ex["target"]:
        wanted, parent, slot = stack.pop()
        rows.append((KIND[wanted], parent, min(slot, 7), prev, (kind, number)))
        if kind == "=":
            parts = parts_of(number)
            stack.extend((part, number, n) for n, part in reversed(list(enumerate(parts))))
        prev = (kind, number)
    if stack:
        return None
    return {"rows": rows}  # type: ignore[dict-item]


def collate(
    db: dict[str, Any], picked: list[dict[str, Any]], *, train: bool, paired: bool = False
) -> dict[str, Tensor]:
    """Some questions of one database as a batch; with `paired` its halves are wordings of the same questions, which see
    the same columns."""
    n = len(picked)
    tokens = max(len(e["tokens"]) for e in picked)
    nodes = len(db["nodes"])
    items = max(1, max(len(e["item_columns"]) for e in picked))
    numbers = max(1, max(len(e["numbers"]) for e in picked))
    periods = max(1, max(len(e["periods"]) for e in picked))
    length = max(len(e["steps"]["rows"]) for e in picked)
    word = picked[0]["tokens"].shape[1]
    pieces = max(len(e["pieces"]) for e in picked)
    z = lambda *shape: np.zeros(shape, np.float32)  # noqa: E731
    b = {
        "tokens": z(n, tokens, word),
        "flags": z(n, tokens, TOKEN_FEATURES),
        "channels": z(n, tokens, nodes, CHANNELS),
        "item_vectors": z(n, items, word),
        "item_features": z(n, items, VALUE_FEATURES),
        "item_tokens": z(n, items, tokens),
        "amounts": z(n, numbers, 2),
        "periods": z(n, periods, tokens),
        "weights": z(n, length),
        "shares": z(n, tokens, pieces),
    }
    piece_rows = np.zeros((n, pieces), np.int64)
    hid = lambda *shape: np.full(shape, NEVER, np.float32)  # noqa: E731
    token_hidden, pieces_hidden, item_hidden, number_hidden, period_hidden = (
        hid(n, tokens),
        hid(n, pieces),
        hid(n, items),
        hid(n, numbers),
        hid(n, periods),
    )
    node_hidden = z(n, nodes)
    meant, meant_values = np.zeros((n, nodes), bool), np.zeros((n, items), bool)
    item_columns, number_place = np.zeros((n, items), np.int64), np.zeros((n, numbers), np.int64)
    grid = {
        k: np.zeros((n, length), np.int64)
        for k in ("kinds", "parents", "slots", "prev_production", "prev_state", "answers")
    }
    grid["prev_leaf"] = np.full((n, length), -1, np.int64)
    base = len(PRODUCTIONS)
    offset = {"T": 0, "C": db["tables"], "W": nodes, "N": nodes + items, "D": nodes + items + numbers}
    if "words" in picked[0]:
        b["states"] = z(n, tokens, picked[0]["words"].shape[-1])
    for i, e in enumerate(picked):
        t, m = len(e["tokens"]), len(e["item_columns"])
        b["tokens"][i, :t] = e["tokens"]
        b["flags"][i, :t] = e["flags"]
        b["channels"][i, :t] = e["channels"]
        token_hidden[i, :t] = 0
        piece_rows[i, : len(e["pieces"])] = e["pieces"]
        pieces_hidden[i, : len(e["pieces"])] = 0
        b["shares"][i, :t, : len(e["pieces"])] = e["shares"]
        if "states" in b:
            b["states"][i, :t] = e["words"][random.randrange(2) if train else 0]
        if m:
            b["item_vectors"][i, :m] = e["item_vectors"]
            b["item_features"][i, :m] = e["item_features"]
            b["item_tokens"][i, :m, :t] = e["item_tokens"]
            item_columns[i, :m] = e["item_columns"]
            item_hidden[i, :m] = 0
        for k, (p, a) in enumerate(zip(e["numbers"], e["amounts"], strict=True)):
            number_place[i, k] = p
            b["amounts"][i, k] = (math.log10(abs(a) + 1) / AMOUNTS, 1900 <= a <= 2100)
            number_hidden[i, k] = 0
        for k, places in enumerate(e["periods"]):
            b["periods"][i, k, list(places)] = 1 / len(places)
            period_hidden[i, k] = 0
        used = set()
        for k, (kind, parent, slot, prev, answer) in enumerate(e["steps"]["rows"]):
            grid["kinds"][i, k], grid["parents"][i, k], grid["slots"][i, k] = kind, parent, slot
            if prev[0] == "=":
                grid["prev_production"][i, k] = prev[1]
            else:
                grid["prev_leaf"][i, k] = LEAF[prev[0]]
                grid["prev_state"][i, k] = offset[prev[0]] + prev[1]
            grid["answers"][i, k] = answer[1] if answer[0] == "=" else base + offset[answer[0]] + answer[1]
            b["weights"][i, k] = 1
            if answer[0] in "TC":
                used.add(offset[answer[0]] + answer[1])
            if answer[0] == "W":
                used.add(offset["C"] + int(e["item_columns"][answer[1]]))
                meant_values[i, answer[1]] = True
        meant[i, list(used)] = True
        if train and random.random() < 0.25:
            gone = np.random.rand(nodes) < random.random() * 0.4
            gone[: db["tables"]] = False
            node_hidden[i, gone] = NEVER
    if paired:
        node_hidden[n // 2 :] = node_hidden[: n // 2]
    node_hidden[meant] = 0
    if train:
        blank = np.random.rand(n, tokens, 1) > 0.2
        b["tokens"] *= blank
        b["states" if "states" in b else "shares"] *= np.random.rand(n, 1, 1) > 0.1
        unknown = (np.random.rand(n, pieces) < DROPPED) & (piece_rows > UNKNOWN)
        piece_rows[unknown] = UNKNOWN
        b["channels"] *= np.random.rand(n, tokens, 1, 1) > 0.08
        b["channels"] *= np.random.rand(n, 1, 1, CHANNELS) > 0.12
    made = {k: torch.from_numpy(np.ascontiguousarray(v)) for k, v in {**b, **grid}.items()}
    nodes_in = db["nodes"].astype(np.float32)[None]
    if train:
        nodes_in = nodes_in * (np.random.rand(1, nodes, 3).repeat(word, -1) > 0.12)
    made["nodes"] = torch.from_numpy(nodes_in.astype(np.float32))
    made["node_features"] = torch.from_numpy(db["node_features"].astype(np.float32)[None])
    made["relations"] = torch.from_numpy(db["relations"].astype(np.int64))
    made["item_columns"], made["numbers"] = torch.from_numpy(item_columns), torch.from_numpy(number_place)
    made["meant"], made["meant_values"] = torch.from_numpy(meant), torch.from_numpy(meant_values)
    made["pieces"], made["pieces_hidden"] = torch.from_numpy(piece_rows), torch.from_numpy(pieces_hidden)
    made["tables"] = torch.full((n, 1), db["tables"], dtype=torch.int64)
    made["token_hidden"], made["node_hidden"] = torch.from_numpy(token_hidden), torch.from_numpy(node_hidden)
    made["hidden"] = torch.cat([made["token_hidden"], made["node_hidden"]], 1)
    made["C_hidden"] = made["node_hidden"]
    made["W_hidden"] = torch.from_numpy(item_hidden)
    made["N_hidden"], made["D_hidden"] = torch.from_numpy(number_hidden), torch.from_numpy(period_hidden)
    return made


def pairs_of(examples: Sequence[dict[str, Any]]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Each wording beside another of the same question, by chance; one that is left over beside itself."""
    by: dict[str, list[dict[str, Any]]] = {}
    for ex in examples:
        by.setdefault(WORDING.sub("", ex["id"]), []).append(ex)
    made = []
    for wordings in by.values():
        random.shuffle(wordings)
        made += [(wordings[n], wordings[min(n + 1, len(wordings) - 1)]) for n in range(0, len(wordings), 2)]
    random.shuffle(made)
    return made


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
    dbs = [
        prepared(pickle.loads(p.read_bytes()), known) for folder in o.folders for p in sorted(folder.glob("*.pickle"))
    ]
    train = [db for db in dbs if db["name"] not in held and db["examples"]][rank :: o.processes]
    kept = [db for db in dbs if db["name"] in held]
    model = Reader(Sizes(joint_layers=o.joint), o.encoder)
    if o.start:
        begun_with(model, earlier(o.start))
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
        for db in [*train, *(kept if rank == 0 else [])]:
            passed(model, o.encoder, db, o.states)
    parameters = [p for p in model.parameters() if p.requires_grad]
    average = copy.deepcopy(model)
    own = {id(p) for p in model.words.parameters()}
    groups = [
        {"params": [p for p in parameters if id(p) not in own], "share": 1.0},
        {"params": [p for p in parameters if id(p) in own], "share": ENCODER_RATE},
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
            ((loss + LINKING * model.linking(b, e) + o.agree * apart(every, b)) / 8).backward()
            own = step / o.steps if o.steps else (time.time() - begun) / (60 * o.minutes)
            done = averaged(parameters, own, o.processes)
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
