"""The question's encoder for training (PyTorch), and its beginning: the first layers and the most used pieces of
all-MiniLM-L6-v2 (Apache-2.0). `apps/analyst/reading/encoder.py` runs the same with numpy.

    python -m learning.encoder ENCODER WORDS OUT.npz

ENCODER is a folder with all-MiniLM-L6-v2, WORDS a text file whose words are to be known by as few pieces as possible.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from apps.analyst.reading.encoder import HEADS, Pieces, read
from apps.analyst.reading.packed import pack, rounded, spread
from learning.vectors import Encoder, pieces

LAYERS = 3
PLACES = 80
COMMON = 9000
"""Pieces before this one are kept anyway: the vocabulary stands in the order of frequency."""


class Layer(nn.Module):
    """Attention, then two linear maps; both normed after, as in BERT."""

    def __init__(self, width: int, dropout: float) -> None:
        super().__init__()
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.norm1, self.norm2 = nn.LayerNorm(width, 1e-12), nn.LayerNorm(width, 1e-12)
        self.drop = nn.Dropout(dropout)

    def forward(self, x: Tensor, hidden: Tensor) -> Tensor:
        q, k, v = (part.unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in self.qkv(x).chunk(3, -1))
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=hidden).transpose(1, 2).flatten(2)
        x = self.norm1(x + self.drop(self.out(mixed)))
        return self.norm2(x + self.drop(self.down(F.gelu(self.up(x), approximate="tanh"))))


class Words(nn.Module):
    """States of a question's words. The table of pieces stays as it is; all else is trained on."""

    def __init__(self, path: Path, dropout: float) -> None:
        super().__init__()
        kept = read(path)
        self.pieces: Pieces = kept.pieces
        table = torch.from_numpy(spread(kept.table, kept.scale))
        self.register_buffer("table", table, persistent=False)
        self.width = table.shape[1]
        self.place = nn.Parameter(torch.from_numpy(kept.w["place"].copy()))
        self.norm = nn.LayerNorm(self.width, 1e-12)
        self.layers = nn.ModuleList(Layer(self.width, dropout) for _ in range(kept.layers))
        self.load_state_dict({named(name): torch.from_numpy(value.copy()) for name, value in kept.w.items()})

    def forward(self, rows: Tensor, hidden: Tensor, shares: Tensor) -> Tensor:
        """(batch, words, width) of piece rows (batch, pieces), what is hidden of them (0 or -1e9), and the words'
        shares (batch, words, pieces)."""
        x = self.norm(self.table[rows] + self.place[: rows.shape[1]])
        for layer in self.layers:
            x = layer(x, hidden[:, None, None, :])
        return shares @ x


def named(name: str) -> str:
    """A weight's name in training for its name in the file."""
    return f"layers.{name}" if name[0].isdigit() else name


def exported(weights: Mapping[str, np.ndarray], begun: Path, out: Path) -> None:
    """Writes trained layers with the pieces of the file that they began as."""
    kept = read(begun)
    listed = "\n".join(kept.pieces.listed)
    named_again = {name.removeprefix("layers."): value for name, value in weights.items()}
    pack(named_again, out, pieces=np.array(listed), table=kept.table, table_scale=kept.scale)


def main(folder: str, words: str, out: str) -> None:
    full = Encoder(Path(folder))
    inverse = {row: piece for piece, row in full.vocabulary.items()}
    wanted = [w.strip() for w in Path(words).read_text(encoding="utf-8").splitlines() if w.strip()]
    used = {row for word in wanted for row in pieces(word, full.vocabulary)}
    bare = {row: piece.removeprefix("##") for row, piece in inverse.items()}
    plain = [r for r, p in bare.items() if p.isascii() and (p.isalnum() or len(p) == 1) and "[" not in inverse[r]]
    rows = [r for r in sorted(plain) if r < COMMON or r in used or len(bare[r]) == 1]
    special = [full.vocabulary[name] for name in ("[CLS]", "[SEP]", "[UNK]")]
    w = full.weights
    table, scale = rounded(w["embeddings.word_embeddings.weight"][[*special, *rows]].numpy())
    made = {
        "place": w["embeddings.position_embeddings.weight"][:PLACES] + w["embeddings.token_type_embeddings.weight"][0],
        "norm.weight": w["embeddings.LayerNorm.weight"],
        "norm.bias": w["embeddings.LayerNorm.bias"],
    }
    for n in range(LAYERS):
        at = f"encoder.layer.{n}."
        for kind in ("weight", "bias"):
            parts = [w[f"{at}attention.self.{part}.{kind}"] for part in ("query", "key", "value")]
            made[f"{n}.qkv.{kind}"] = torch.cat(parts)
            for own, theirs in (
                ("out", "attention.output.dense"),
                ("norm1", "attention.output.LayerNorm"),
                ("up", "intermediate.dense"),
                ("down", "output.dense"),
                ("norm2", "output.LayerNorm"),
            ):
                made[f"{n}.{own}.{kind}"] = w[f"{at}{theirs}.{kind}"]
    listed = "\n".join(["[begin]", "[end]", "[unknown]", *[inverse[r] for r in rows]])
    pack(
        {k: v.numpy() for k, v in made.items()},
        Path(out),
        pieces=np.array(listed),
        table=table,
        table_scale=scale.astype(np.float32),
    )
    print(len(rows) + 3, "pieces")


if __name__ == "__main__":
    main(*sys.argv[1:4])
