"""Codes that let somebody choose a new password: what is kept of one opens nothing, and one mail serves all who ask.

Whoever asks for an account's reset within three minutes of a mail waits for the code of that mail, wherever they are:
nobody can flood a mailbox, and nobody who asks at the same time takes the code away from the member. A right code is
therefore never refused for what others tried. Three wrong ones end an attempt, and attempts together are bounded by the
turns that wrong ones keep (flows.door): ten a second in each web, so that while a code lives one web's guesses find it
once in three million times (20 letters, eight of them).
"""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.password_reset_by_code import PasswordResetVerificationProcess
from allauth.core.internal.cryptokit import normalize_user_code
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.cache import cache
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare, salted_hmac

from apps.accounts.models import User

MAIL_SECONDS = 180
"""Well below a code's ten minutes: who gets no mail of their own still has time for the one that came."""
_SALT = "accounts.reset"


def opens(code: str, kept: str, user: User | None) -> bool:
    """Whether a code is the one of an attempt. It is for none once the password is another."""
    return user is not None and constant_time_compare(_digest(code, user), kept)


def _digest(code: str, user: User) -> str:
    words = f"code:{normalize_user_code(code)}:{user.pk}:{user.password}"
    return salted_hmac(_SALT, words, algorithm="sha256").hexdigest()


class ResetProcess(PasswordResetVerificationProcess):
    """allauth's attempt with the digest in place of the code, which its session would keep readable."""

    @classmethod
    def initiate(cls, *, request: HttpRequest, user: AbstractBaseUser | None, email: str) -> ResetProcess:
        """Begins an attempt; allauth's own begins one of its class, whoever is asked."""
        process = cls(request, state=cls.initial_state(user, email), user=user)
        process.send()
        process.persist()
        return process

    def send(self) -> None:
        """Mails a new code, or waits for the one that was mailed a moment ago. An address of nobody gets none."""
        user = self.user
        if not isinstance(user, User):
            return
        adapter = get_adapter()
        code = adapter.generate_password_reset_code()
        digest = _digest(code, user)
        key = f"reset:{salted_hmac(_SALT, f'mail:{user.pk}:{user.password}', algorithm='sha256').hexdigest()}"
        self.state["code"] = cache.get_or_set(key, digest, MAIL_SECONDS)
        if self.state["code"] != digest:
            return
        try:
            adapter.send_mail("account/email/password_reset_code", self.state["email"], {"code": code})
        except BaseException:
            cache.delete(key)
            raise
