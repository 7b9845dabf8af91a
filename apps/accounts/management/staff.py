"""What staff commands share: verbs as subcommands, plain words or JSON out, clear errors, and exit codes.

0 done, 1 refused (the message says why), 2 wrong usage. A dry run says what would happen and changes nothing.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.accounts.models import Organization, User
from apps.core.errors import ProductError


class StaffCommand(BaseCommand):
    """A command with verbs: each is a method `do_<verb>(options) -> facts`, declared in `verbs` with its help."""

    verbs: dict[str, str]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="Answer in JSON.")
        verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB", parser_class=ArgumentParser)
        for verb, words in self.verbs.items():
            sub = verbs.add_parser(verb, help=words, description=words)
            sub.add_argument("--json", action="store_true", default=False, help="Answer in JSON.")
            getattr(self, f"arguments_{verb}", lambda _: None)(sub)

    def handle(self, *, verb: str, **options: Any) -> None:
        try:
            facts = getattr(self, f"do_{verb}")(**options)
        except ProductError as error:
            raise CommandError(error.message) from error
        if options["json"]:
            self.stdout.write(json.dumps(facts, ensure_ascii=False, default=str))
            return
        for row in facts if isinstance(facts, list) else [facts]:
            self.stdout.write("  ".join(f"{name}: {value}" for name, value in row.items()))


def export_arguments(parser: ArgumentParser) -> None:
    """Where an export is written."""
    parser.add_argument("path", help="The zip file to write; it must not exist yet.")


def delete_arguments(parser: ArgumentParser) -> None:
    """A deletion is meant, or only tried."""
    meant = parser.add_mutually_exclusive_group(required=True)
    meant.add_argument("--dry-run", action="store_true", help="Say what would go and change nothing.")
    meant.add_argument("--yes", action="store_true", help="Delete for good.")


def organization_named(name: str) -> Organization:
    """The organisation of that name, whatever its case."""
    found = Organization.objects.filter(name__iexact=name).first()
    if found is None:
        raise CommandError(f"There is no organisation named {name}.")
    return found


def user_named(username: str) -> User:
    """The user of that name, whatever its case."""
    found = User.objects.select_related("organization").filter(username__iexact=username).first()
    if found is None:
        raise CommandError(f"There is no user named {username}.")
    return found
