"""Weights as files: matrices as whole numbers of 8 bits with a scale for each row, all else in half precision."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.analyst.reading.vectors import Floats

SCALE = "/scale"
_LARGEST = 127


def rounded(matrix: Floats) -> tuple[NDArray[np.int8], NDArray[np.float16]]:
    """A matrix as whole numbers, and what each row's numbers are multiplied by."""
    scale = (np.abs(matrix).max(-1) / _LARGEST).astype(np.float16)
    safe = np.maximum(scale.astype(np.float32), 1e-7)[:, None]
    return np.clip(np.round(matrix / safe), -_LARGEST, _LARGEST).astype(np.int8), scale


def spread(whole: NDArray[np.int8], scale: NDArray[np.float16] | Floats) -> Floats:
    """The matrix again."""
    made: Floats = whole.astype(np.float32) * scale.astype(np.float32)[:, None]
    return made


def pack(weights: Mapping[str, Any], path: Path, **others: NDArray[Any]) -> None:
    """Writes weights by name, and what else is to stand beside them as it is."""
    kept: dict[str, NDArray[Any]] = dict(others)
    for name, value in weights.items():
        array = np.asarray(value, np.float32)
        if array.ndim == 2:
            kept[name], kept[name + SCALE] = rounded(array)
        else:
            kept[name] = array.astype(np.float16)
    np.savez_compressed(path, **kept)  # type: ignore[arg-type]


def unpacked(path: Path) -> tuple[dict[str, Floats], dict[str, NDArray[Any]]]:
    """The weights of a file by name, and what stands beside them."""
    kept = np.load(path)
    weights: dict[str, Floats] = {}
    others: dict[str, NDArray[Any]] = {}
    for name in kept.files:
        if name.endswith(SCALE):
            continue
        value = kept[name]
        if name + SCALE in kept.files:
            weights[name] = spread(value, kept[name + SCALE])
        elif value.dtype == np.float16:
            weights[name] = value.astype(np.float32)
        else:
            others[name] = value
    return weights, others
