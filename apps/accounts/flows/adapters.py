"""What of allauth's defaults does not fit: nobody signs up alone, and the user is told as the product tells them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.stagekit import clear_login
from allauth.headless.adapter import DefaultHeadlessAdapter
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest, HttpResponse

from apps.accounts.audit import AuditAction, record
from apps.accounts.flows import door, guesses
from apps.accounts.models import User
from apps.accounts.selectors import account_named, profile, temporary_password_over
from apps.accounts.services.mails import mail_queue

MAILS = {"account/email/password_reset_code": "password_reset_code"}
"""allauth's name of a mail, and ours."""
LONGEST_NAME = 320
"""No account has a longer one, and databases give up looking for it."""


class AccountAdapter(DefaultAccountAdapter):
    """Accounts are made by an organization's admin or by staff."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        """A temporary password whose time is over opens nothing, and answers like a wrong one."""
        if len(_named(credentials)) > LONGEST_NAME:
            door.looked(request, right=False)
            return None
        user = super().authenticate(request, **credentials)
        right = not isinstance(user, User) or not temporary_password_over(user)
        door.looked(request, right=bool(user) and right)
        return user if right else None

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """In place of allauth's count by account alone, which anybody anywhere could use up for its member. The
        account's user name, its e-mail and any case of them share one count."""
        usage = guesses.taken(request, _named(credentials), self.get_client_ip(request))
        if usage is None:
            raise self.validation_error("too_many_login_attempts")
        self._login_failed_rl_usage = usage

    def pre_login(self, request: HttpRequest, user: AbstractBaseUser, **kwargs: Any) -> HttpResponse | None:
        """Allauth looks at the account's own state only. Either way the answer is the same."""
        if isinstance(user, User) and not user.is_let_in:
            clear_login(request)
            refused: HttpResponse = self.respond_user_inactive(request, user)
            return refused
        going_on: HttpResponse | None = super().pre_login(request, user, **kwargs)
        return going_on

    def get_login_stages(self) -> list[str]:
        return ["apps.accounts.flows.stages.NewPasswordStage", *super().get_login_stages()]

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """allauth's mails in our words and through a worker; it sends no other ones in our configuration. An account
        that is not let in gets none."""
        account = account_named(email)
        if account is not None and not account.is_let_in:
            return
        minutes = settings.ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT // 60
        words = {"code": context.get("code", ""), "minutes": minutes}
        lifetime = timedelta(minutes=minutes)
        mail_queue(recipient=email, template=MAILS[template_prefix], context=words, lifetime=lifetime)
        if account is not None:
            record(AuditAction.PASSWORD_RESET_ASKED, organization=account.organization, target=account.username)


def _named(credentials: dict[str, Any]) -> str:
    """By which name somebody wants to be let in."""
    return str(credentials.get("email") or credentials.get("username") or "")


class HeadlessAdapter(DefaultHeadlessAdapter):
    """The user as the API describes it."""

    def serialize_user(self, user: AbstractBaseUser) -> dict[str, Any]:
        return profile(user)
