"""What staff commands share: verbs as subcommands, plain words or JSON out, clear errors, and exit codes.

0 done, 1 refused (the message says why), 2 wrong usage. Every verb that changes something has a dry run.
"""

from __future__ import annotations

import getpass
import json
from argparse import SUPPRESS, ArgumentParser
from typing import Any, ClassVar

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from apps.accounts.audit import acting_as
from apps.accounts.models import Organization, User
from apps.core.errors import ProductError


class StaffCommand(BaseCommand):
    """A command with verbs: each is a method `do_<verb>(options) -> facts`, declared in `verbs` with its help."""

    verbs: ClassVar[dict[str, str]]
    changes_nothing: ClassVar[frozenset[str]] = frozenset({"list", "export"})

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._tries_itself: set[str] = set()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="Answer in JSON.")
        verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB", parser_class=ArgumentParser)
        for verb, words in self.verbs.items():
            sub = verbs.add_parser(verb, help=words, description=words)
            # Said before the verb it must not be unsaid behind it.
            sub.add_argument("--json", action="store_true", default=SUPPRESS, help="Answer in JSON.")
            getattr(self, f"arguments_{verb}", lambda _: None)(sub)
            if "--dry-run" in sub.format_usage():
                self._tries_itself.add(verb)
            elif verb not in self.changes_nothing:
                sub.add_argument("--dry-run", action="store_true", help="Say what would be done and change nothing.")

    def handle(self, *, verb: str, **options: Any) -> None:
        try:
            with acting_as(f"command line ({_operator()})"):
                facts = self._do(verb, options)
        except ProductError as error:
            raise CommandError(error.message) from error
        if options["json"]:
            self.stdout.write(json.dumps(facts, ensure_ascii=False, default=str))
            return
        for row in facts if isinstance(facts, list) else [facts]:
            self.stdout.write("  ".join(f"{name}: {value}" for name, value in row.items()))

    def _do(self, verb: str, options: dict[str, Any]) -> Any:
        """The verb's facts. A dry run is the change taken back, but for verbs that know more of it themselves."""
        do = getattr(self, f"do_{verb}")
        if verb in self._tries_itself or not options.get("dry_run"):
            return do(**options)
        with transaction.atomic():
            facts = do(**options)
            transaction.set_rollback(True)
        facts.pop("temporary_password", None)  # nobody has it
        return {**facts, "dry_run": True}


def _operator() -> str:
    """Who runs the command, as the operating system knows them."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown"


def export_arguments(parser: ArgumentParser) -> None:
    """Where an export is written."""
    parser.add_argument("path", help="The zip file to write; it must not exist yet.")


def delete_arguments(parser: ArgumentParser) -> None:
    """A deletion is meant, or only tried."""
    meant = parser.add_mutually_exclusive_group(required=True)
    meant.add_argument("--dry-run", action="store_true", help="Say what would go and change nothing.")
    meant.add_argument("--yes", action="store_true", help="Delete for good.")


def organization_named(name: str) -> Organization:
    """The organization of that name, whatever its case."""
    found = Organization.objects.filter(name__iexact=name).first()
    if found is None:
        raise CommandError(f"There is no organization named {name}.")
    return found


def user_named(username: str) -> User:
    """The user of that name, whatever its case."""
    found = User.objects.select_related("organization").filter(username__iexact=username).first()
    if found is None:
        raise CommandError(f"There is no user named {username}.")
    return found
