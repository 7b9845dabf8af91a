"""The product's one error family: a message for people, a code for programs, a status for HTTP.

Raised low, translated once (apps.core.api.errors). The engine has its own family without HTTP (apps.analyst.errors).
"""

from __future__ import annotations


class ProductError(Exception):
    """Something a person can be told about. `message` is shown as it is."""

    status = 400
    code = "error"

    def __init__(self, message: str, *, code: str | None = None, status: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or type(self).code
        self.status = status or type(self).status


class Invalid(ProductError):
    """What was sent cannot be used; the message names it and the remedy."""

    status = 400
    code = "invalid"


class Refused(ProductError):
    """The member may not do this."""

    status = 403
    code = "forbidden"


class NotFound(ProductError):
    """Nothing of that name in this organization; foreign and absent things answer alike."""

    status = 404
    code = "not_found"

    def __init__(self, message: str = "Not found.", *, code: str | None = None, status: int | None = None) -> None:
        super().__init__(message, code=code, status=status)


class Conflict(ProductError):
    """It cannot be done in the present state."""

    status = 409
    code = "conflict"


class Gone(ProductError):
    """It was there, and its bytes are no more."""

    status = 410
    code = "gone"


class Damaged(Gone):
    """Its bytes are there, but are not what was written."""

    code = "damaged"


class TooLarge(ProductError):
    """Past a limit; the message names the limit."""

    status = 413
    code = "too_large"


class Unavailable(ProductError):
    """Something this needs is not there at the moment."""

    status = 503
    code = "unavailable"
