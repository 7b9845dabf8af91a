"""The step allauth has no view for, answering the new-password challenge, and the one in which it tells too much."""

from __future__ import annotations

from typing import Any

import allauth.account.internal.flows  # noqa: F401  (first: allauth's stages cannot be imported on their own)
from allauth.headless.account import inputs as account_inputs
from allauth.headless.account import views as account
from allauth.headless.base.views import AuthenticationStageAPIView
from allauth.headless.internal.restkit import inputs
from allauth.headless.internal.restkit.response import ErrorResponse
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse

from apps.accounts.flows.stages import NewPasswordStage
from apps.accounts.services.passwords import password_choose


class NewPasswordInput(inputs.Input):
    """The password a member wants instead of the temporary one."""

    new_password = inputs.CharField()

    def __init__(self, *args: Any, user: Any = None, **kwargs: Any) -> None:
        self.user = user
        super().__init__(*args, **kwargs)

    def clean_new_password(self) -> str:
        password: str = self.cleaned_data["new_password"]
        validate_password(password, self.user)
        if self.user.check_password(password):
            raise ValidationError("Choose a password other than the temporary one.", code="same_password")
        return password


class NewPasswordView(AuthenticationStageAPIView):
    """POST {new_password} with the pending token: the password is set and the sign-in goes on."""

    input_class = NewPasswordInput
    stage_class = NewPasswordStage

    def get_input_kwargs(self) -> dict[str, Any]:
        return {"user": self.stage.login.user}

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        password_choose(user=self.stage.login.user, password=self.input.cleaned_data["new_password"])
        return self.respond_next_stage()


class ResetPasswordInput(account_inputs.ResetPasswordInput):
    """The code of a reset and the password that is wanted."""

    def clean(self) -> dict[str, Any] | None:
        """A password is looked at beside a right code only: allauth asks it of the account, which an address that
        nobody has is without."""
        return self.cleaned_data if "key" in self.errors else super().clean()


class ResetPasswordView(account.ResetPasswordView):
    """allauth's, without telling whether an address is anybody's: its codes are refused alike."""

    input_class = ResetPasswordInput

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Whether the code is right. allauth fails over an address that nobody has; no code is right there."""
        if self.process.user is not None:
            return super().get(request, *args, **kwargs)
        said = account_inputs.ResetPasswordKeyInput({"key": request.headers.get("X-Password-Reset-Key", "")}, code="")
        said.is_valid()
        self.process.record_invalid_attempt()
        return ErrorResponse(request, input=said)
