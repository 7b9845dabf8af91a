"""Writes trained weights as the files that the reader uses.

python -m learning.export WEIGHTS.pt OUT.npz ENCODER.npz [BEGUN.npz]

BEGUN is the encoder that the training began with (the shipped one, where none is named): its pieces stay.
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch

from apps.analyst.reading.encoder import PATH
from apps.analyst.reading.network import written
from learning.encoder import exported

WORDS = "words."


def main(weights: str, out: str, encoder: str, begun: str = str(PATH)) -> None:
    kept = torch.load(weights, weights_only=False)
    every = {name: value.numpy() for name, value in kept["weights"].items()}
    exported({n.removeprefix(WORDS): v for n, v in every.items() if n.startswith(WORDS)}, Path(begun), Path(encoder))
    written({n: v for n, v in every.items() if not n.startswith(WORDS)}, kept["sizes"], Path(out))


if __name__ == "__main__":
    main(*sys.argv[1:])
