"""Why a provider gave no answer: in words for people, and what of a request it refused."""

from __future__ import annotations

from collections.abc import Iterator

from apps.analyst.errors import ProviderFailed

_WHY = {
    401: "did not accept the key",
    403: "did not accept the key",
    404: "is not known at its provider: the name or the address is wrong",
    429: "takes no more questions just now: its provider's limit is reached",
}
_REFUSED = (400, 422)


def why(name: str, error: BaseException) -> str:
    """The sentence for people. What the provider wrote is not in it: it may quote what it was sent."""
    ours = next((one for one in _causes(error) if isinstance(one, ProviderFailed)), None)
    if ours is not None:
        return ours.message
    status = status_of(error)
    if status in _WHY:
        return f"{name} {_WHY[status]}."
    if status in _REFUSED:
        return f"{name} refused the request."
    if status is not None:
        return f"{name} failed at its provider ({status})."
    if _unread(error):
        return f"{name} gave an answer that cannot be read."
    return f"{name} could not be reached ({type(error).__name__})."


def status_of(error: BaseException) -> int | None:
    """The status of HTTP that a provider answered with, if that is what failed."""
    from pydantic_ai.exceptions import ModelHTTPError

    return error.status_code if isinstance(error, ModelHTTPError) else None


def refused(error: BaseException) -> bool:
    """Whether a request was refused for what it asks, as against an outage, a limit or a key."""
    from pydantic_ai.exceptions import UserError

    return isinstance(error, UserError) or status_of(error) in _REFUSED


def refuses_temperature(error: BaseException) -> bool:
    """Whether a request was refused for the temperature that it asks for: some models have one of their own."""
    return status_of(error) in _REFUSED and "temperature" in str(getattr(error, "body", "")).lower()


def _unread(error: BaseException) -> bool:
    """Whether something came back that is not in the provider's format."""
    from pydantic_ai.exceptions import UnexpectedModelBehavior

    return any(isinstance(one, UnexpectedModelBehavior | ValueError) for one in _causes(error))


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.__cause__ or seen.__context__
