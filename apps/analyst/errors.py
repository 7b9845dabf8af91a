"""The engine's one error family: a message for people, and whether trying again may help."""

from __future__ import annotations

import errno

NO_ROOM_CODES = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG})
"""What the system says of a disk that takes no more."""


class AnalystError(Exception):
    """Anything the engine refuses or fails at. `message` is shown to the person who asked."""

    def __init__(self, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.retryable = retryable


class Unclear(AnalystError):
    """The question could not be read well enough to compute anything."""


class NoSuchData(AnalystError):
    """The question names data that the catalog does not hold."""


class PlanRejected(AnalystError):
    """A plan names a table, column or operation that the catalog does not allow."""


class QueryFailed(AnalystError):
    """The query engine refused or ended the query (limits, time, types)."""


class TookTooLong(QueryFailed):
    """The query was ended when its time was up."""


class QueryRefused(QueryFailed):
    """The query engine cannot read the query: a name or a type does not fit. Another query may."""


class ReadFailed(AnalystError):
    """A file could not be read as a table; the message names the file and the remedy."""


class JoinRefused(AnalystError):
    """Two columns that a person wants to join can never meet; the message says why."""


class ExportFailed(AnalystError):
    """A table could not be written in the format asked for; the message names the remedy."""


class ProviderFailed(AnalystError):
    """A language-model provider did not answer usably."""
