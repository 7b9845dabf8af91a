"""Places by all that people and files call them."""

from apps.analyst.knowledge.folding import folded
from apps.analyst.knowledge.places import is_country, names_of_places


def test_states_by_code_are_called_by_their_names() -> None:
    names = names_of_places(["TX", "CA", "NY", "BC"])
    assert names["TX"] == (folded("Texas"),)
    assert names["CA"] == (folded("California"),)
    assert names["BC"] == (folded("British Columbia"),)


def test_codes_of_countries_stay_countries() -> None:
    names = names_of_places(["CA", "DE", "FR", "US"])
    assert "canada" in names["CA"]
    assert folded("California") not in names["CA"]


def test_codes_that_are_countries_and_states_alike_are_countries() -> None:
    assert "canada" in names_of_places(["CA", "DE"])["CA"]


def test_what_holds_few_places_is_no_column_of_places() -> None:
    assert names_of_places(["TX", "open", "won", "lost"]) == {}
    assert names_of_places(["TX"]) == {}


def test_a_country_is_known_by_its_name_and_not_by_its_code() -> None:
    assert is_country("Germany")
    assert not is_country("it")
