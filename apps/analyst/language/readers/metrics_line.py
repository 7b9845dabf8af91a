"""A question as a line of words from which phrases are taken: what is left over at the end was not understood."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache

from apps.analyst.language.periods import PeriodMention, find_periods
from apps.analyst.language.tagging import Tagged

_TAKEN = "~"


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\S)(?:{pattern})(?!\S)")


class Line:
    """The words of a question, single-spaced; taken ones and marks are blanked out so that phrases never cross them."""

    def __init__(self, tagged: Tagged) -> None:
        self.tagged = tagged
        self.starts: list[int] = []
        pieces: list[str] = []
        length = 0
        for token in tagged.tokens:
            piece = token.norm
            if token.number is not None and not token.quoted and token.number == int(token.number):
                piece = str(int(token.number))
            piece = piece.replace(" ", "_") if token.is_word or piece.isdigit() else _TAKEN
            self.starts.append(length)
            pieces.append(piece)
            length += len(piece) + 1
        self.starts.append(length)
        self.whole = self.text = " ".join(pieces)

    def take(self, pattern: str) -> re.Match[str] | None:
        """The first match of whole words, taken away; None where there is none."""
        match = _compiled(pattern).search(self.text)
        if match is not None and match.group().strip():
            self.blank(match.start(), match.end())
            return match
        return None

    def has(self, pattern: str) -> bool:
        """True where the whole question, as it was asked, says it."""
        return _compiled(pattern).search(self.whole) is not None

    def sees(self, pattern: str) -> re.Match[str] | None:
        """A match among the words that are left, which stay."""
        return _compiled(pattern).search(self.text)

    def blank(self, start: int, end: int) -> None:
        """Takes a stretch of characters away."""
        self.text = self.text[:start] + re.sub(r"\S", _TAKEN, self.text[start:end]) + self.text[end:]

    def free(self, first: int, last: int) -> bool:
        """True where tokens [first, last) are all there still."""
        return _TAKEN not in self.text[self.starts[first] : self.starts[last] - 1]

    def blank_tokens(self, first: int, last: int) -> None:
        """Takes tokens [first, last) away."""
        self.blank(self.starts[first], self.starts[last] - 1)

    def periods(self, today: date) -> list[PeriodMention]:
        """The time phrases whose words are left, taken away."""
        found = []
        for mention in find_periods(self.tagged.tokens, today):
            if self.free(mention.start, mention.end):
                self.blank_tokens(mention.start, mention.end)
                found.append(mention)
        return found

    def left(self) -> list[str]:
        """The words that nobody took."""
        return [word for word in self.text.split() if not set(word) <= {_TAKEN}]
