"""The learned reader's network, for training (PyTorch). `apps/analyst/reading/network.py` runs the same with numpy.

A question's tokens and the catalog's nodes (tables, columns) are encoded together; how they fit each other
(channels, see `linking`) and how tables hang together (relations) steer attention, as in relation-aware encoders
(Wang et al.,
RAT-SQL, 2020). A decoder writes the sketch from the top as productions and pointers, each restricted to what the
grammar allows (Yin and
Neubig, TRANX, 2018).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from apps.analyst.reading.linking import CHANNELS, TOKEN_FEATURES
from apps.analyst.reading.nodes import NODE_FEATURES
from apps.analyst.reading.sketch import GRAMMAR, KINDS, LEAVES, MAKES, POINTED, PRODUCTIONS
from apps.analyst.reading.values_said import VALUE_FEATURES as ITEM_FEATURES
from learning.encoder import Words

RELATIONS = 6
DISTANCE = 8
SLOTS = 8
FITS = CHANNELS + 1
"""The channels of linking, and how near a word's state lies to a name's (`Reader.sense`)."""
LEAST = -12.0
"""Log-probabilities below this are taken for it where two wordings are compared."""
SHARPNESS = 12.0
"""What a cosine is multiplied by where senses are told apart (the inverse temperature of the contrast)."""
KIND = {kind: n for n, kind in enumerate(KINDS)}
for _leaf in LEAVES:
    KIND.setdefault(_leaf, len(KIND))
LEAF = {leaf: n for n, leaf in enumerate(LEAVES)}


@dataclass(frozen=True)
class Sizes:
    """Widths and depths."""

    word: int = 96
    width: int = 160
    sense: int = 64
    heads: int = 5
    inner: int = 384
    node_layers: int = 1
    token_layers: int = 1
    joint_layers: int = 4
    decoder_layers: int = 2
    dropout: float = 0.2


def allowed() -> tuple[Tensor, Tensor]:
    """Which productions (kinds x productions) and which leaves (kinds x leaves) may stand where a kind is wanted."""
    productions, leaves = (
        torch.zeros(len(KIND), len(PRODUCTIONS), dtype=torch.bool),
        torch.zeros(len(KIND), len(LEAVES), dtype=torch.bool),
    )
    place = {name: n for n, name in enumerate(PRODUCTIONS)}
    for kind, number in KIND.items():
        for name in MAKES.get(kind, ()):
            productions[number, place[name]] = True
        if POINTED.get(kind):
            leaves[number, LEAF[POINTED[kind]]] = True
    return productions, leaves


class Layer(nn.Module):
    """Attention with an additive bias, then two linear maps; both normed before."""

    def __init__(self, s: Sizes, *, cross: bool = False) -> None:
        super().__init__()
        self.heads, self.cross = s.heads, cross
        self.norm1, self.norm2 = nn.LayerNorm(s.width), nn.LayerNorm(s.width)
        self.qkv, self.out = nn.Linear(s.width, 3 * s.width), nn.Linear(s.width, s.width)
        self.up, self.down = nn.Linear(s.width, s.inner), nn.Linear(s.inner, s.width)
        self.drop = nn.Dropout(s.dropout)
        if cross:
            self.norm3 = nn.LayerNorm(s.width)
            self.q2, self.kv2, self.out2 = (
                nn.Linear(s.width, s.width),
                nn.Linear(s.width, 2 * s.width),
                nn.Linear(s.width, s.width),
            )

    def split(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def attend(self, q: Tensor, k: Tensor, v: Tensor, bias: Tensor | None) -> Tensor:
        mixed = F.scaled_dot_product_attention(self.split(q), self.split(k), self.split(v), attn_mask=bias)
        return mixed.transpose(1, 2).flatten(2)

    def forward(
        self, x: Tensor, bias: Tensor | None, memory: Tensor | None = None, memory_bias: Tensor | None = None
    ) -> Tensor:
        q, k, v = self.qkv(self.norm1(x)).chunk(3, -1)
        x = x + self.drop(self.out(self.attend(q, k, v, bias)))
        if self.cross and memory is not None:
            k, v = self.kv2(memory).chunk(2, -1)
            x = x + self.drop(self.out2(self.attend(self.q2(self.norm3(x)), k, v, memory_bias)))
        return x + self.drop(self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh")))


class Reader(nn.Module):
    """The whole network. `forward` gives the log-probabilities of the target's actions."""

    def __init__(self, s: Sizes, encoder: Path) -> None:
        super().__init__()
        self.s = s
        d = s.width
        self.words = Words(encoder, s.dropout)
        self.words_in = nn.Linear(self.words.width, d)
        nn.init.zeros_(self.words_in.weight)  # so that training goes on from weights that knew no encoder
        nn.init.zeros_(self.words_in.bias)
        self.label_in, self.value_in = nn.Linear(self.words.width, d), nn.Linear(self.words.width, d)
        for begins in (self.label_in, self.value_in):
            nn.init.zeros_(begins.weight)
            nn.init.zeros_(begins.bias)
        self.sense = nn.Linear(self.words.width, s.sense, bias=False)
        nn.init.orthogonal_(self.sense.weight)
        self.token_in = nn.Linear(s.word + TOKEN_FEATURES, d)
        self.place = nn.Embedding(64, d)
        self.before = nn.Embedding(1, d)  # what a word has that tells the answer before
        nn.init.zeros_(self.before.weight)
        self.node_in = nn.Linear(3 * s.word + NODE_FEATURES, d)
        self.near = nn.Embedding(2 * DISTANCE + 1, s.heads)
        self.token_layers = nn.ModuleList(Layer(s) for _ in range(s.token_layers))
        self.node_layers = nn.ModuleList(Layer(s) for _ in range(s.node_layers))
        self.joint = nn.ModuleList(Layer(s) for _ in range(s.joint_layers))
        self.to_node = nn.ModuleList(nn.Linear(FITS, s.heads) for _ in range(s.joint_layers))
        self.to_token = nn.ModuleList(nn.Linear(FITS, s.heads) for _ in range(s.joint_layers))
        self.between = nn.ModuleList(nn.Embedding(RELATIONS, s.heads) for _ in range(s.joint_layers + s.node_layers))
        self.fit = nn.Linear(FITS, d)
        self.norm = nn.LayerNorm(d)
        self.item_in = nn.Linear(s.word + ITEM_FEATURES, d)
        self.item_mix = nn.Linear(3 * d, d)
        self.item_out = nn.Linear(d, d)
        self.number_in = nn.Linear(2, d)
        self.production = nn.Embedding(len(PRODUCTIONS) + 1, d)
        self.leaf = nn.Embedding(len(LEAVES), d)
        self.kind = nn.Embedding(len(KIND), d)
        self.parent = nn.Embedding(len(PRODUCTIONS) + 1, d)
        self.slot = nn.Embedding(SLOTS, d)
        self.step = nn.Embedding(64, d)
        self.decoder = nn.ModuleList(Layer(s, cross=True) for _ in range(s.decoder_layers))
        self.last = nn.LayerNorm(d)
        self.say = nn.Linear(d, len(PRODUCTIONS))
        self.point = nn.ModuleList(nn.Linear(d, d) for _ in LEAVES)
        self.known = nn.ModuleList(nn.Linear(d, d) for _ in LEAVES)
        self.align_q, self.align_k = nn.Linear(d, d), nn.Linear(d, d)
        self.node_fit, self.table_fit = nn.Linear(FITS, 1), nn.Linear(FITS, 1)
        self.item_fit, self.item_bonus = nn.Linear(2, 1), nn.Linear(ITEM_FEATURES, 1)
        self.drop = nn.Dropout(s.dropout)
        productions, leaves = allowed()
        self.register_buffer("productions", productions, persistent=False)
        self.register_buffer("leaves", leaves, persistent=False)

    def encode(self, b: dict[str, Tensor]) -> dict[str, Tensor]:
        """Memory of tokens and nodes, and the states that each kind of leaf points to."""
        tokens, nodes = b["tokens"], b["nodes"]
        n, t = tokens.shape[0], tokens.shape[1]
        x = self.token_in(torch.cat([tokens, b["flags"]], -1)) + self.place.weight[:t]
        states = b["states"] if "states" in b else self.words(b["pieces"], b["pieces_hidden"], b["shares"])
        x = x + self.words_in(states)
        if "before" in b:
            x = x + b["before"][..., None] * self.before.weight[0]
        labels, values = self.drop(b["labels"]), self.drop(b["values"])
        sensed = F.normalize(self.sense(states), dim=-1)
        channels = torch.cat([b["channels"], (sensed @ F.normalize(self.sense(labels), dim=-1).T)[..., None]], -1)
        senses = F.normalize(self.sense(values), dim=-1) @ sensed.transpose(1, 2)
        senses = F.pad(senses, (0, 0, 0, b["item_vectors"].shape[1] - senses.shape[1]))
        where = torch.arange(t)
        far = (where[None, :] - where[:, None]).clamp(-DISTANCE, DISTANCE) + DISTANCE
        token_bias = self.near(far).permute(2, 0, 1)[None] + b["token_hidden"][:, None, None, :]
        for layer in self.token_layers:
            x = layer(x, token_bias)
        y = self.node_in(torch.cat([nodes, b["node_features"]], -1)) + self.label_in(labels)
        for k, layer in enumerate(self.node_layers):
            y = layer(y, self.between[self.s.joint_layers + k](b["relations"]).permute(2, 0, 1)[None])
        y = y + self.fit(channels.amax(1))
        z = torch.cat([x, y], 1)
        for k, layer in enumerate(self.joint):
            to_node = self.to_node[k](channels).permute(0, 3, 1, 2)
            to_token = self.to_token[k](channels).permute(0, 3, 2, 1)
            own = self.between[k](b["relations"]).permute(2, 0, 1)[None].expand(n, -1, -1, -1)
            near = self.near(far).permute(2, 0, 1)[None].expand(n, -1, -1, -1)
            bias = torch.cat([torch.cat([near, to_node], -1), torch.cat([to_token, own], -1)], -2)
            z = layer(z, bias + b["hidden"][:, None, None, :])
        z = self.norm(z)
        x, y = z[:, :t], z[:, t:]
        items = self.item_in(torch.cat([b["item_vectors"], b["item_features"]], -1))
        items = F.gelu(
            items + F.pad(self.value_in(values), (0, 0, 0, items.shape[1] - len(values))), approximate="tanh"
        )
        weights = (8 * b["item_tokens"] + b["token_hidden"][:, None, :]).softmax(-1)
        own = torch.gather(y, 1, (b["item_columns"] + b["tables"])[..., None].expand(-1, -1, y.shape[-1]))
        items = items + self.item_out(
            F.gelu(self.item_mix(torch.cat([items, weights @ x, own], -1)), approximate="tanh")
        )
        numbers = torch.gather(x, 1, b["numbers"][..., None].expand(-1, -1, x.shape[-1])) + self.number_in(b["amounts"])
        periods = b["periods"] @ x
        return {
            "memory": z,
            "tokens": x,
            "T": y,
            "C": y,
            "W": items,
            "N": numbers,
            "D": periods,
            "channels": channels,
            "senses": senses,
        }

    def linking(self, b: dict[str, Tensor], e: dict[str, Tensor]) -> Tensor:
        """How badly the senses alone tell what a question names from what it does not: a contrast of each column,
        table and value of its sketch with all that are not in it, by the word that lies nearest."""
        near = e["channels"][..., -1] + b["token_hidden"][:, :, None]
        names = told_apart(near.amax(1) + b["node_hidden"], b["meant"])
        values = e["senses"][:, : b["meant_values"].shape[1]] + b["token_hidden"][:, None, :]
        return names + told_apart(values.amax(2), b["meant_values"])

    def forward(self, b: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        """Log-probability of each target action, and whether it was the likeliest; both (batch, steps), 0 and True
        where padded."""
        return self.said(b, self.encode(b))

    def said(self, b: dict[str, Tensor], e: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        """`forward`, of what is encoded already."""
        every = self.choices(b, e)
        return self.target(b, every), (every.argmax(-1) == b["answers"]) | (b["weights"] == 0)

    @staticmethod
    def target(b: dict[str, Tensor], every: Tensor) -> Tensor:
        """Of `choices` the log-probability of each target action; 0 where padded."""
        return torch.gather(every, 2, b["answers"][..., None])[..., 0] * b["weights"]

    def choices(self, b: dict[str, Tensor], e: dict[str, Tensor]) -> Tensor:
        """Log-probability of all that may be said at each step of the target: (batch, steps, productions, then nodes,
        values, numbers, periods)."""
        states = torch.cat([e["C"], e["W"], e["N"], e["D"]], 1)
        keys = torch.cat([self.known[LEAF[k]](e[k]) for k in ("C", "W", "N", "D")], 1)
        previous = torch.where(
            b["prev_leaf"][..., None] >= 0,
            torch.gather(states, 1, b["prev_state"][..., None].expand(-1, -1, states.shape[-1]))
            + self.leaf(b["prev_leaf"].clamp(min=0)),
            self.production(b["prev_production"]),
        )
        steps = b["kinds"].shape[1]
        h = (
            previous
            + self.kind(b["kinds"])
            + self.parent(b["parents"])
            + self.slot(b["slots"])
            + self.step.weight[:steps]
        )
        h = self.drop(h)
        causal = torch.full((steps, steps), -1e9).triu(1)[None, None]
        for layer in self.decoder:
            h = layer(h, causal, e["memory"], b["hidden"][:, None, None, :])
        h = self.last(h)
        logits = self.say(h).masked_fill(~self.productions[b["kinds"]], -1e9)
        scale = h.shape[-1] ** -0.5
        aligned = (
            scale * (self.align_q(h) @ self.align_k(e["tokens"]).transpose(1, 2)) + b["token_hidden"][:, None, :]
        ).softmax(-1)
        bonus = {
            "C": aligned @ self.node_fit(e["channels"])[..., 0],
            "W": self.item_fit(
                torch.stack([aligned @ b["item_tokens"].transpose(1, 2), aligned @ e["senses"].transpose(1, 2)], -1)
            )[..., 0]
            + self.item_bonus(b["item_features"])[:, None, :, 0],
        }
        table_bonus = aligned @ self.table_fit(e["channels"])[..., 0]
        may = self.leaves[b["kinds"]]
        parts = [logits]
        sizes = {"C": e["C"].shape[1], "W": e["W"].shape[1], "N": e["N"].shape[1], "D": e["D"].shape[1]}
        start = 0
        for kind, size in sizes.items():
            own = keys[:, start : start + size]
            start += size
            score = scale * (self.point[LEAF[kind]](h) @ own.transpose(1, 2)) + b[f"{kind}_hidden"][:, None, :]
            if kind in bonus:
                score = score + bonus[kind]
            if kind == "C":
                table = torch.arange(size)[None, None, :] < b["tables"][:, :, None]
                as_table = (
                    scale * (self.point[LEAF["T"]](h) @ self.known[LEAF["T"]](e["T"]).transpose(1, 2))
                    + b["C_hidden"][:, None, :]
                    + table_bonus
                )
                score = torch.where(
                    table,
                    as_table.masked_fill(~may[..., LEAF["T"], None], -1e9),
                    score.masked_fill(~may[..., LEAF["C"], None], -1e9),
                )
            else:
                score = score.masked_fill(~may[..., LEAF[kind], None], -1e9)
            parts.append(score)
        return torch.cat(parts, -1).float().log_softmax(-1)


def apart(every: Tensor, b: dict[str, Tensor]) -> Tensor:
    """How far two wordings of one question lie apart: the mean over pairs of the symmetric divergence (Jeffreys) of
    what is said at the steps that point to no value, number or period. The first half of the batch holds the one
    wordings, the second the others; a pair whose targets differ counts for nothing. After R-Drop (Liang et al., 2021),
    where the two are one text."""
    half, shared = len(every) // 2, len(PRODUCTIONS) + b["nodes"].shape[1]
    answers = b["answers"].clamp(max=shared)
    same = ((answers[:half] == answers[half:]) & (b["weights"][:half] == b["weights"][half:])).all(1)
    counted = b["weights"][:half] * (answers[:half] < shared) * same[:, None]
    one, other = (part[..., :shared].clamp(min=LEAST) for part in (every[:half], every[half:]))
    gap = ((one.exp() - other.exp()) * (one - other)).sum(-1)
    return (gap * counted).sum() / max(1, half)


def told_apart(near: Tensor, meant: Tensor) -> Tensor:
    """The mean loss of telling each of what is meant from all that is not; both (batch, candidates)."""
    near = SHARPNESS * near
    others = near.masked_fill(meant, -1e9).logsumexp(1, keepdim=True)
    lost = torch.logaddexp(near, others) - near
    return (lost * meant).sum() / meant.sum().clamp(min=1)


def saved(model: Reader) -> dict[str, object]:
    """Sizes and weights, to be written."""
    return {"sizes": asdict(model.s), "weights": model.state_dict()}


def parts_of(production: int) -> tuple[str, ...]:
    """The kinds of a production's parts."""
    return GRAMMAR[PRODUCTIONS[production]][1:]
