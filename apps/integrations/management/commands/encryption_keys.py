"""`manage.py encryption_keys VERB`: the keys under which sign-ins at outside services are kept, for staff."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from apps.accounts.management.staff import StaffCommand
from apps.integrations.services.keys import keys_list, keys_rotate


class Command(StaffCommand):
    help = "List the encryption keys of kept sign-ins, and seal everything anew with the first of them."
    verbs = {
        "list": "Each key by its fingerprint, with the number of rows it opens; and the rows that no key opens.",
        "rotate": "Seal every row with the first key of CREDENTIAL_KEYS, so that the others can be taken away.",
    }

    def do_list(self, **_: Any) -> list[dict[str, Any]]:
        return keys_list()

    def arguments_rotate(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="Say what would be sealed anew; change nothing.")

    def do_rotate(self, *, dry_run: bool, **_: Any) -> dict[str, Any]:
        return keys_rotate(dry_run=dry_run)
