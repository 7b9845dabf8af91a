"""The sign-in step "new password required": a temporary password opens nothing but the choice of an own one."""

from __future__ import annotations

import allauth.account.internal.flows  # noqa: F401  (first: allauth's stages cannot be imported on their own)
from allauth.account.stages import LoginStage
from django.http import HttpResponse


class NewPasswordStage(LoginStage):
    """Pending for as long as the account carries a temporary password (ACCOUNT_LOGIN_TIMEOUT bounds the wait)."""

    key = "new_password_required"

    def handle(self) -> tuple[object, bool]:
        if self.login.user.must_change_password:
            # Any response pauses the sign-in here; allauth's view words the answer after it has kept the pending state.
            return HttpResponse(status=401), True
        return None, True
