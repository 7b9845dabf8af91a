"""Preferences: what a member keeps for himself, what is the organization's, and who may change which."""

import json
import re

import pytest
from django.conf import settings as django_settings
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.core.errors import Invalid
from apps.preferences.selectors import answer_preferences, context_version
from apps.preferences.values import parse_preferences
from tests.cast import client_of

PATH = "/api/v3/preferences"


def post(client, **fields):
    return client.post(PATH, {"user_preferences": json.dumps(fields)}, format="json")


def stored(client):
    return json.loads(client.get(PATH).json()["user_preferences"])


def test_a_new_member_has_the_defaults_of_the_specification(cast):
    answer = client_of(cast.ana).get(PATH).json()
    assert answer["explanation"] == ""
    assert json.loads(answer["user_preferences"]) == {
        "chart_formatting": {
            "title": {"bold": True, "underline": False, "italicize": False, "colors": False},
            "x_axis": {"bold": False, "underline": False, "italicize": False, "colors": False},
            "y_axis": {"bold": False, "underline": False, "italicize": False, "colors": False},
            "gridlines": {"enabled": True},
        },
        "keywords": {},
        "colors": ["#F75D2C", "#BE58EA", "#EC8AB8"],
        "theme": "light",
        "audio": False,
        "response_preference": "Standard",
    }


def test_the_page_starts_with_the_servers_defaults(cast):
    page = (django_settings.BASE_DIR / "assets/api/preferences.ts").read_text(encoding="utf-8")
    served = stored(client_of(cast.ana))
    for name in ("theme", "audio", "response_preference", "colors"):
        value = re.search(rf"^  {name}: (.+),$", page, re.MULTILINE).group(1).replace("'", '"')
        assert json.loads(value) == served[name], name


def test_only_the_fields_sent_are_changed(cast):
    client = client_of(cast.ana)
    assert post(client, theme="dark", colors=["#fff", "#000000", "#F75D2C"]).status_code == 200
    assert post(client, response_preference="Concise").status_code == 200
    assert (stored(client)["theme"], stored(client)["response_preference"]) == ("dark", "Concise")
    assert stored(client_of(cast.ben))["theme"] == "light"


def test_keywords_are_the_organizations_and_keep_their_order(cast):
    post(client_of(cast.ana), keywords={"zeta": "last letter", "ARR": "annual recurring revenue"})
    assert list(stored(client_of(cast.ben))["keywords"]) == ["zeta", "ARR"]
    assert stored(client_of(cast.gus))["keywords"] == {}


def test_the_organizations_context_travels_as_explanation(cast):
    client_of(cast.ana).post(PATH, {"explanation": "We sell bikes."}, format="json")
    assert client_of(cast.ben).get(PATH).json()["explanation"] == "We sell bikes."
    assert client_of(cast.gus).get(PATH).json()["explanation"] == ""


def test_members_without_the_right_change_their_own_settings_only(cast):
    cast.acme.members_edit_context = False
    cast.acme.save()
    ana = client_of(cast.ana)
    refused = post(ana, theme="dark", keywords={"ARR": "recurring"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "forbidden")
    assert stored(ana)["theme"] == "light", "a refused change leaves nothing behind"
    assert post(ana, theme="dark", keywords={}).status_code == 200
    assert post(client_of(cast.ada), keywords={"ARR": "recurring"}).status_code == 200


@pytest.mark.parametrize(
    "fields",
    [
        {"theme": "blue"},
        {"audio": "yes"},
        {"response_preference": "Long"},
        {"response_preference": ["Standard"]},
        {"colors": ["#F75D2C"]},
        {"colors": ["red", "#fff", "#fff"]},
        {"colors": "#fff"},
        {"chart_formatting": {"title": {"bold": 1}}},
        {"chart_formatting": {"legend": {}}},
        {"chart_formatting": {"title": {"blink": True}}},
        {"chart_formatting": [1]},
        {"keywords": {"": "nothing"}},
        {"keywords": {"ARR": ""}},
        {"keywords": {"ARR": None}},
        {"keywords": {"A" * 101: "x"}},
        {"keywords": {"A\x00": "x"}},
        {"keywords": {f"k{i}": "x" for i in range(501)}},
    ],
)
def test_each_wrong_field_is_refused_by_name(fields):
    with pytest.raises(Invalid) as caught:
        parse_preferences(json.dumps(fields))
    assert next(iter(fields)).rstrip("s").split("_")[0] in caught.value.message.lower()


@pytest.mark.parametrize(
    "body",
    [
        b"[1]",
        b'"x"',
        b"{}",
        b'{"user_preferences": "{"}',
        b'{"user_preferences": 3}',
        b"{",
        b'{"explanation": {"a": 1}}',
        b'{"explanation": "\\ud800"}',
        b'{"explanation": "a\\u0000"}',
    ],
)
def test_malformed_bodies_are_the_senders_error(cast, body):
    answer = client_of(cast.ana).post(PATH, body, content_type="application/json")
    assert answer.status_code == 400
    assert set(answer.json()["error"]) == {"message", "code"}


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
)
names = st.sampled_from(["theme", "audio", "colors", "keywords", "chart_formatting", "response_preference", "other"])


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(names, anything))
def test_whatever_is_sent_is_parsed_or_refused(fields):
    try:
        change = parse_preferences(fields)
    except Invalid:
        return
    assert change.theme in {None, "light", "dark"}
    assert change.audio in {None, True, False}


def test_the_runner_reads_style_keywords_and_context(cast):
    post(client_of(cast.ana), response_preference="Explanatory", keywords={"ARR": "annual recurring revenue"})
    client_of(cast.ana).post(PATH, {"explanation": "We sell bikes."}, format="json")
    read = answer_preferences(cast.ana)
    assert (read.style, read.keywords, read.context) == (
        "Explanatory",
        {"ARR": "annual recurring revenue"},
        "We sell bikes.",
    )
    assert answer_preferences(cast.gus).context == ""


def test_an_unchanged_text_does_not_wake_caches(cast):
    client = client_of(cast.ana)
    client.post(PATH, {"explanation": "We sell bikes."}, format="json")
    version = context_version(cast.acme)
    client.post(PATH, {"explanation": "We sell bikes. "}, format="json")
    assert context_version(cast.acme) == version
    client.post(PATH, {"explanation": "We sell cars."}, format="json")
    assert context_version(cast.acme) > version
