"""Questions of a database as batches of arrays for the network, in training with noise on what it sees."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from apps.analyst.reading.encoder import UNKNOWN, Pieces
from apps.analyst.reading.linking import CHANNELS, TOKEN_FEATURES
from apps.analyst.reading.sketch import PRODUCTIONS
from apps.analyst.reading.values_said import VALUE_FEATURES
from learning.network import KIND, LEAF, Reader, parts_of
from learning.states import DROPPED, NEVER, side_by_side, states_of

AMOUNTS = 8.0
FRESH = 20
"""So many of the names that a batch's questions mean, and of others, pass the encoder with their gradient."""
WORDING = re.compile(r"(?<=\d)-p?\d+$")
"""What tells the wordings of one question apart in their ids ("shop-12-3", "saas-001-p1")."""


def prepared(db: dict[str, Any], known: Pieces) -> dict[str, Any]:
    """A database with its questions in pieces and its targets as the decoder's inputs."""
    for ex in db["examples"]:
        ex["steps"] = steps(ex, db)
        ex["pieces"], ex["shares"] = known.text(ex["said"])
    db["examples"] = [ex for ex in db["examples"] if ex["steps"] is not None]
    names = [known.text(words) for words in [*db["node_words"], *db["item_words"]]]
    db["called"] = side_by_side([(rows, shares.mean(0, keepdims=True)) for rows, shares in names])
    return db


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
    if any(e.get("before") for e in picked):
        b["before"] = z(n, tokens)
    if "words" in picked[0]:
        b["states"] = z(n, tokens, picked[0]["words"].shape[-1])
    for i, e in enumerate(picked):
        t, m = len(e["tokens"]), len(e["item_columns"])
        b["tokens"][i, :t] = e["tokens"]
        b["flags"][i, :t] = e["flags"]
        b["channels"][i, :t] = e["channels"]
        if "before" in b:
            b["before"][i, : e["before"]] = 1
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
