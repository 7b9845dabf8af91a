"""The first page of the administration and its lists: figures, sizes and moments as the product writes them."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from django.urls import reverse

from apps.accounts.dashboard import moment, seconds, size
from apps.accounts.models import User


def test_moments_are_written_as_in_the_product_with_their_time_zone(cast, ada):
    User.objects.filter(pk=cast.ben.pk).update(last_login=datetime(2026, 3, 5, 17, 4, tzinfo=UTC))
    assert "5 Mar 2026, 17:04 UTC" in ada.get(reverse("admin:accounts_user_changelist")).content.decode()
    assert moment(datetime(2026, 3, 5, 17, 4, tzinfo=UTC)) == "5 Mar 2026, 17:04 UTC"


def test_sizes_are_written_as_the_screens_write_them():
    sizes = [0, 999, 1000, 12_345, 3_400_000, 999_600, 200_000_000, 5_200_000_000]
    shown = [size(value).replace("\N{NO-BREAK SPACE}", " ") for value in sizes]
    assert shown == ["0 B", "999 B", "1 kB", "12 kB", "3.4 MB", "1 MB", "200 MB", "5.2 GB"]


def test_there_is_no_mean_of_nothing():
    assert (seconds(None), seconds(0.0), seconds(3.25)) == ("–", "0.0\N{NO-BREAK SPACE}s", "3.2\N{NO-BREAK SPACE}s")


def test_the_figure_of_temporary_passwords_leads_to_those_members_only(cast, ada):
    User.objects.filter(pk=cast.ana.pk).update(must_change_password=True)
    page = ada.get(reverse("admin:index")).content.decode()
    address = re.search(r'<a href="([^"]+)">With a temporary password</a>', page)
    assert address is not None
    listed = ada.get(address[1].replace("&amp;", "&")).content.decode()
    assert ">ana</a>" in listed
    assert ">ben</a>" not in listed


def test_every_figure_of_the_first_page_leads_to_a_list_that_opens(cast, ada):
    page = ada.get(reverse("admin:index")).content.decode()
    addresses = [found.replace("&amp;", "&") for found in re.findall(r'<a href="(/[^"]*\?[^"]+=[^"]*)">', page)]
    assert len(addresses) >= 4
    for address in addresses:
        assert ada.get(address).status_code == 200, address
