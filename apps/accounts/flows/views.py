"""The step allauth has no view for: answering the new-password challenge."""

from __future__ import annotations

from typing import Any

import allauth.account.internal.flows  # noqa: F401  (first: allauth's stages cannot be imported on their own)
from allauth.headless.base.views import AuthenticationStageAPIView
from allauth.headless.internal.restkit import inputs
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
