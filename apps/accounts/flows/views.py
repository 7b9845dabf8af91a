"""The step allauth has no view for, answering the new-password challenge, and those of a reset, with our codes."""

from __future__ import annotations

from typing import Any

import allauth.account.internal.flows  # noqa: F401  (first: allauth's stages cannot be imported on their own)
from allauth.account.adapter import get_adapter
from allauth.headless.account import inputs as account_inputs
from allauth.headless.account import response
from allauth.headless.account import views as account
from allauth.headless.base.views import AuthenticationStageAPIView
from allauth.headless.internal.restkit import inputs
from allauth.headless.internal.restkit.response import ErrorResponse
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse

from apps.accounts.flows import resets
from apps.accounts.flows.resets import ResetProcess
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


class RequestPasswordResetInput(account_inputs.RequestPasswordResetInput):
    """Whose password is to be reset."""

    def save(self, request: HttpRequest, **_: Any) -> str:
        email: str = self.cleaned_data["email"]
        ResetProcess.initiate(request=request, user=self.users[0] if self.users else None, email=email)
        return email


class RequestPasswordResetView(account.RequestPasswordResetView):
    """allauth's, with our codes."""

    input_class = RequestPasswordResetInput


class ResetPasswordKeyInput(account_inputs.ResetPasswordKeyInput):
    """The code of a reset, held against the digest that is kept. No code is right for an address that nobody has."""

    def clean_key(self) -> str:
        key: str = self.cleaned_data["key"]
        if not resets.opens(key, self.code, self.user):
            raise get_adapter().validation_error("incorrect_code")
        return key


class ResetPasswordInput(ResetPasswordKeyInput, account_inputs.ResetPasswordInput):
    """The code of a reset and the password that is wanted."""

    def clean(self) -> dict[str, Any] | None:
        """A password is looked at beside a right code only: allauth asks it of the account, which an address that
        nobody has is without."""
        return self.cleaned_data if "key" in self.errors else super().clean()


class ResetPasswordView(account.ResetPasswordView):
    """allauth's, with our codes, and without telling whether an address is anybody's: all are refused alike."""

    input_class = ResetPasswordInput

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Whether the code is right."""
        key = request.headers.get("X-Password-Reset-Key", "")
        said = ResetPasswordKeyInput({"key": key}, code=self.process.code, user=self.process.user)
        if not said.is_valid():
            self.process.record_invalid_attempt()
            return ErrorResponse(request, input=said)
        self.process.confirm_code()
        return response.PasswordResetKeyResponse(request, self.process.user)
