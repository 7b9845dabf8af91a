"""Writes trained weights as the file that the reader uses.

python -m learning.export WEIGHTS.pt OUT.npz
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch

from apps.analyst.reading.network import written


def main(weights: str, out: str) -> None:
    kept = torch.load(weights, weights_only=False)
    written({name: value.numpy() for name, value in kept["weights"].items()}, kept["sizes"], Path(out))


if __name__ == "__main__":
    main(*sys.argv[1:3])
