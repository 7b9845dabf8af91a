"""Readers, one family of questions each: `read(question, catalog, lexicon, tagged) -> list[Reading]`."""
