"""The administration as a part of the product: its colours, its door and the names of its pages."""

from __future__ import annotations

import re

from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from tests.cast import PASSWORD

COLOUR = re.compile(r"--([a-z0-9-]+): (#[0-9a-f]{6});")
BOTH = re.compile(r"--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);")


def style(name: str) -> str:
    found = finders.find(f"accounts/{name}.css")
    assert found is not None
    with open(found, encoding="utf-8") as file:
        return file.read()


def test_the_colours_are_the_products_in_both_themes():
    light, dark = (settings.BASE_DIR / "assets/design/tokens.css").read_text().split('[data-theme="dark"] {')
    product_light = dict(COLOUR.findall(light))
    product_dark = {**product_light, **dict(COLOUR.findall(dark.split("}")[0]))}
    ours = style("tokens")
    one = dict(COLOUR.findall(ours))
    both = {name: (of_light, of_dark) for name, of_light, of_dark in BOTH.findall(ours)}
    both |= {name: (colour, colour) for name, colour in one.items()}
    assert len(both) > 15
    assert both == {name: (product_light[name], product_dark[name]) for name in both}


def test_no_other_style_of_the_administration_has_a_colour_of_its_own():
    for name in ("frame", "menu", "buttons", "fields", "tables", "lists", "door", "dashboard"):
        assert re.findall(r"#[0-9a-f]{3,8}\b|rgba?\(", style(name)) == [], name


def test_the_door_has_the_words_of_the_products_own_sign_in():
    page = Client().get(reverse("admin:login")).content.decode()
    for words in (">Username</label>", ">Password</label>", 'value="Login"', reverse("forgot_password")):
        assert words in page


def test_lists_are_called_by_what_is_in_them(cast):
    ada = Client()
    ada.post(reverse("admin:login"), {"username": "ada", "password": PASSWORD})
    page = ada.get(reverse("admin:accounts_auditevent_changelist")).content.decode()
    assert "<h1>Entries in the audit log</h1>" in page
