"""A question's words are cut into known pieces and seen in each other's light."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from apps.analyst.reading.encoder import MOST_PIECES, PATH, UNKNOWN, Pieces, encoder, read
from apps.analyst.reading.packed import pack, unpacked

KNOWN = Pieces(["[begin]", "[end]", "[unknown]", "order", "##s", "re", "##order", "cafe", "-", "2", "##4"])


@pytest.mark.parametrize(
    ("word", "rows"),
    [
        ("order", [3]),
        ("orders", [3, 4]),
        ("reorders", [5, 6, 4]),
        ("café", [7]),
        ("re-order", [5, 8, 3]),
        ("24", [9, 10]),
        ("xyz", [UNKNOWN]),
        ("", [UNKNOWN]),
    ],
)
def test_a_word_is_cut_into_its_longest_known_pieces(word: str, rows: list[int]) -> None:
    assert KNOWN.of(word) == rows


def test_each_word_shares_in_its_own_pieces_alone() -> None:
    rows, shares = KNOWN.text(["orders", "xyz"])
    assert rows == [0, 3, 4, UNKNOWN, 1]
    assert shares.tolist() == [[0, 0.5, 0.5, 0, 0], [0, 0, 0, 1, 0]]


def test_a_long_text_is_cut_and_every_word_keeps_a_state() -> None:
    states = encoder().states(["reorders"] * 70)
    rows, _ = encoder().pieces.text(["reorders"] * 70)
    assert len(rows) <= MOST_PIECES
    assert states.shape[0] == 70
    assert np.isfinite(states).all()


def test_a_word_has_another_state_beside_other_words() -> None:
    known = encoder()
    alone, near, again = (known.states(["how", "many", w, "closed"])[3] for w in ("deals", "accounts", "deals"))
    assert np.array_equal(alone, again)
    assert not np.allclose(alone, near, atol=0.01)


def test_names_that_pass_together_have_the_means_of_their_words_alone() -> None:
    names = [("order", "date"), ("cancelled",), ("net", "amount"), ("order", "date"), ("x" * 90, "reference", "number")]
    found = read(PATH).means(names)
    alone = [encoder().states(name).mean(0) for name in names]
    assert found.shape == (5, alone[0].shape[0])
    assert np.allclose(found, alone, atol=1e-4)


def test_names_that_were_seen_do_not_pass_the_layers_again() -> None:
    known, passed = read(PATH), []
    through = known._passed
    known._passed = lambda rows: (passed.append(rows.shape), through(rows))[1]  # type: ignore[method-assign,func-returns-value]
    known.means([("order", "date"), ("status",)])
    known.means([("status",), ("order", "date")])
    assert [shape[0] for shape in passed] == [1, 1]
    assert known.means([]).shape == (0, known.table.shape[1])


def test_packed_weights_come_back_within_a_step_of_their_row(tmp_path: Path) -> None:
    drawn = np.random.default_rng(3)
    weights = {"a": drawn.normal(size=(5, 40)).astype(np.float32), "b": drawn.normal(size=7).astype(np.float32)}
    weights["a"][2] = 0
    pack(weights, tmp_path / "w.npz", sizes=np.array([1, 2]))
    found, others = unpacked(tmp_path / "w.npz")
    step = np.abs(weights["a"]).max(1, keepdims=True) / 127
    assert (np.abs(found["a"] - weights["a"]) <= 0.6 * step + 1e-6).all()
    assert np.allclose(found["b"], weights["b"], atol=2e-3)
    assert others["sizes"].tolist() == [1, 2]
