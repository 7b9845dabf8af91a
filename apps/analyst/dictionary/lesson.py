"""What a person may teach about a column by one choice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Lesson:
    """One entry to be added to what people said of a column: a word for it, a word for a value, how it adds up; or with
    column "" of its table: the date that its rows go by."""

    file_name: str
    table: str
    column: str
    text: str
    """What it says, for the person who teaches it."""
    synonym: str = ""
    value_synonyms: Mapping[str, str] = field(default_factory=dict, hash=False)
    """A word by the stored value that it means."""
    adds: str = ""
    date_column: str = ""
    before: tuple[str, ...] = ()
    """Of a table: those that it is taken before."""

    def added_to(self, said: Mapping[str, object]) -> dict[str, object]:
        """What was said of the column (the fields of `Taught`, JSON-ready) with this lesson."""
        made = dict(said)
        if self.synonym:
            made["synonyms"] = _joined(made.get("synonyms"), self.synonym)
        for value, word in self.value_synonyms.items():
            known = made.get("value_synonyms")
            words = dict(known) if isinstance(known, Mapping) else {}
            made["value_synonyms"] = {**words, value: _joined(words.get(value), word)}
        if self.adds:
            made["adds"] = self.adds
        if self.date_column:
            made["date_column"] = self.date_column
        if self.before:
            known = made.get("before")
            made["before"] = list(dict.fromkeys((*(known if isinstance(known, list | tuple) else ()), *self.before)))
        return made


def _joined(known: object, word: str) -> list[str]:
    return list(dict.fromkeys((*(known if isinstance(known, list | tuple) else ()), word)))
