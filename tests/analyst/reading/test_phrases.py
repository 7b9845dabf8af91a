"""What phrases may mean is held once for all columns that mean the same."""

from __future__ import annotations

from apps.analyst.dictionary.types import ColumnMeaning
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.reading.nodes import meant_by
from apps.analyst.reading.phrases import Phrases

CONCEPTS = tuple((concept, score) for concept, score in zip(knowledge().concepts, (0.9, 0.6), strict=False))


def test_a_phrase_gives_its_nodes_in_their_order_with_their_scores() -> None:
    price, rate = {"price": 0.9, "cost": 0.5}, {"rate": 0.8, "cost": 0.7}
    found = Phrases([price, rate, price])
    assert list(found["cost"]) == [(0, 0.5), (1, 0.7), (2, 0.5)]
    assert list(found) == ["price", "cost", "rate"]
    assert found.get("color") is None
    assert dict(found.of([2, 1]).items()) == {"price": [(0, 0.9)], "cost": [(0, 0.5), (1, 0.7)], "rate": [(1, 0.8)]}


def test_columns_that_mean_the_same_share_their_phrases() -> None:
    one, other = (ColumnMeaning(name, name, "measure", CONCEPTS) for name in ("price_1", "price_2"))
    assert meant_by(one) is meant_by(other)
    taught = ColumnMeaning("price_3", "price 3", "measure", CONCEPTS, synonyms=("Tariffs",))
    assert meant_by(taught) == {**meant_by(one), "tariff": 1.0}
