"""What allauth and Django tell about signing in, written into the audit log. Their flows offer nothing but signals."""

from __future__ import annotations

from typing import Any

from allauth.account import signals as account_signals
from django.contrib.auth import signals as auth_signals
from django.http import HttpRequest

from apps.accounts.audit import record
from apps.accounts.models import AuditAction, User
from apps.accounts.selectors import account_named


def listen() -> None:
    """Connects the listeners, once, when the app is ready."""
    auth_signals.user_logged_in.connect(_signed_in, dispatch_uid="audit.signed_in")
    auth_signals.user_logged_out.connect(_signed_out, dispatch_uid="audit.signed_out")
    auth_signals.user_login_failed.connect(_failed, dispatch_uid="audit.failed")
    account_signals.password_changed.connect(_password_changed, dispatch_uid="audit.password_changed")
    account_signals.password_reset.connect(_password_reset, dispatch_uid="audit.password_reset")


def _signed_in(sender: object, user: User, **_: Any) -> None:
    record(AuditAction.SIGNED_IN, organization=user.organization, actor=user, target=user.username)


def _signed_out(sender: object, user: User | None, **_: Any) -> None:
    if isinstance(user, User):
        record(AuditAction.SIGNED_OUT, organization=user.organization, actor=user, target=user.username)


def _failed(sender: object, credentials: dict[str, Any], **_: Any) -> None:
    """Written to the organization of the account that was tried, where there is one."""
    name = str(credentials.get("username") or credentials.get("email") or "")
    user = account_named(name)
    record(AuditAction.SIGN_IN_FAILED, organization=user.organization if user else None, target=name)


def _password_changed(sender: object, user: User, **_: Any) -> None:
    record(AuditAction.PASSWORD_CHANGED, organization=user.organization, actor=user, target=user.username)


def _password_reset(sender: object, request: HttpRequest, user: User, **_: Any) -> None:
    """A reset proves the mailbox: a temporary password's duty is done with it."""
    User.objects.filter(pk=user.pk).update(must_change_password=False, temporary_until=None)
    record(AuditAction.PASSWORD_CHANGED, organization=user.organization, actor=user, target=user.username, reset=True)
