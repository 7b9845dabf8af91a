"""Word vectors from a small sentence encoder: every word by itself, reduced and rounded, so that no encoder is
needed at run time.

    python learning/vectors.py ENCODER WORDS OUT

ENCODER is a folder with all-MiniLM-L6-v2 (Apache-2.0: config.json, model.safetensors, tokenizer.json), WORDS a text
file with a word a line that is added to the encoder's own whole words. OUT (.npz) holds `words` (one text, a word a
line),
`vectors` (int8, a row a word, unit length once divided by its norm).
"""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path

import numpy as np
import torch

DIMENSIONS = 96
BATCH = 512


def tensors(path: Path) -> dict[str, torch.Tensor]:
    """The tensors of a .safetensors file of 32-bit floats."""
    raw = path.read_bytes()
    length = struct.unpack("<Q", raw[:8])[0]
    head = json.loads(raw[8 : 8 + length])
    found = {}
    for name, entry in head.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            start, end = entry["data_offsets"]
            data = np.frombuffer(raw[8 + length + start : 8 + length + end], dtype=np.float32)
            found[name] = torch.from_numpy(data.copy()).reshape(entry["shape"])
    return found


def pieces(word: str, vocabulary: dict[str, int]) -> list[int]:
    """WordPiece: the longest known beginning, then the longest known rest, and so on."""
    found, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            text = word[start:end] if start == 0 else "##" + word[start:end]
            if text in vocabulary:
                found.append(vocabulary[text])
                start = end
                break
        else:
            return [vocabulary["[UNK]"]]
    return found


class Encoder:
    """BERT's forward pass, for texts of a few tokens."""

    def __init__(self, folder: Path) -> None:
        self.weights = tensors(folder / "model.safetensors")
        self.vocabulary: dict[str, int] = json.loads((folder / "tokenizer.json").read_text())["model"]["vocab"]
        self.layers = json.loads((folder / "config.json").read_text())["num_hidden_layers"]

    def linear(self, x: torch.Tensor, name: str) -> torch.Tensor:
        return torch.nn.functional.linear(x, self.weights[name + ".weight"], self.weights[name + ".bias"])

    def norm(self, x: torch.Tensor, name: str) -> torch.Tensor:
        return torch.nn.functional.layer_norm(
            x, x.shape[-1:], self.weights[name + ".weight"], self.weights[name + ".bias"], 1e-12
        )

    @torch.no_grad()
    def encode(self, texts: list[str]) -> torch.Tensor:
        """The mean of each text's token states, of unit length."""
        ids = [[101, *[p for word in text.split() for p in pieces(word, self.vocabulary)], 102] for text in texts]
        longest = max(map(len, ids))
        mask = torch.tensor([[1.0] * len(i) + [0.0] * (longest - len(i)) for i in ids])
        table = torch.tensor([i + [0] * (longest - len(i)) for i in ids])
        w = self.weights
        x = w["embeddings.word_embeddings.weight"][table] + w["embeddings.position_embeddings.weight"][:longest]
        x = self.norm(x + w["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        hidden = (1 - mask)[:, None, None, :] * -1e9
        for n in range(self.layers):
            at = f"encoder.layer.{n}."
            q, k, v = (
                self.linear(x, at + f"attention.self.{part}").unflatten(-1, (12, 32)).transpose(1, 2)
                for part in ("query", "key", "value")
            )
            mixed = (q @ k.transpose(-1, -2) / 32**0.5 + hidden).softmax(-1) @ v
            x = self.norm(
                x + self.linear(mixed.transpose(1, 2).flatten(2), at + "attention.output.dense"),
                at + "attention.output.LayerNorm",
            )
            inner = torch.nn.functional.gelu(self.linear(x, at + "intermediate.dense"))
            x = self.norm(x + self.linear(inner, at + "output.dense"), at + "output.LayerNorm")
        pooled = (x * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        return torch.nn.functional.normalize(pooled, dim=-1)


def main(folder: str, words: str, out: str) -> None:
    encoder = Encoder(Path(folder))
    own = [w for w in encoder.vocabulary if w.isascii() and w.isalpha() and len(w) >= 2]
    listed = [w.strip() for w in Path(words).read_text(encoding="utf-8").splitlines()]
    every = list(dict.fromkeys([*own, *[w for w in listed if w]]))
    made = torch.cat([encoder.encode(every[i : i + BATCH]) for i in range(0, len(every), BATCH)])
    centred = made - made.mean(0)
    _, _, axes = torch.pca_lowrank(centred, q=DIMENSIONS, center=False, niter=4)
    reduced = torch.nn.functional.normalize(centred @ axes, dim=-1)
    rounded = (reduced / reduced.abs().max(-1, keepdim=True).values * 127).round().to(torch.int8).numpy()
    np.savez_compressed(out, words="\n".join(every), vectors=rounded)
    print(len(every), "words")


if __name__ == "__main__":
    main(*sys.argv[1:4])
