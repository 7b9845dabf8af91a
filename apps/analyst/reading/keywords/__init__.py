"""The organization's keywords as definitions: a formula or a filter that a question uses by its name.

`terms` finds which of them a question says, `formulas` and `filters` read what they mean, `applying` puts that into the
question's plan. A definition that cannot be read is left aside, and the answer says so; nothing is ever half applied.
"""

from apps.analyst.reading.keywords.applying import with_keywords

__all__ = ["with_keywords"]
