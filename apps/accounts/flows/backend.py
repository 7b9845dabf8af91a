"""Who a password or a session makes somebody: allauth's backend, over the accounts that are let in."""

from __future__ import annotations

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.auth.base_user import AbstractBaseUser

from apps.accounts.models import User
from apps.accounts.selectors import accounts_let_in


class AccountBackend(AuthenticationBackend):
    """Django and allauth look at the account's own state; here the organization's counts as well."""

    def user_can_authenticate(self, user: AbstractBaseUser | None) -> bool:
        return isinstance(user, User) and user.is_let_in

    def get_user(self, user_id: Any) -> User | None:
        return accounts_let_in().filter(pk=user_id).first()
