"""What a product is told of its outside services when these are stand-ins."""

from __future__ import annotations

from apps.integrations.fakes import names


def hubspot_at(address: str) -> dict[str, str]:
    """The environment of a product whose HubSpot is at this address."""
    return {
        "HUBSPOT_CLIENT_ID": names.HUBSPOT_CLIENT_ID,
        "HUBSPOT_CLIENT_SECRET": names.HUBSPOT_CLIENT_SECRET,
        "HUBSPOT_API_URL": address,
        "HUBSPOT_AUTHORIZE_URL": f"{address}/oauth/authorize",
    }


def google_at(address: str) -> dict[str, str]:
    """The environment of a product whose Google is at this address."""
    return {
        "GOOGLE_CLIENT_ID": names.GOOGLE_CLIENT_ID,
        "GOOGLE_CLIENT_SECRET": names.GOOGLE_CLIENT_SECRET,
        "GOOGLE_PICKER_KEY": names.GOOGLE_PICKER_KEY,
        "GOOGLE_APP_ID": names.GOOGLE_APP_ID,
        "GOOGLE_AUTHORIZE_URL": f"{address}/o/oauth2/v2/auth",
        "GOOGLE_PICKER_URL": f"{address}/js/api.js",
        "GOOGLE_PICKER_FRAMES": address.replace("127.0.0.1", "localhost"),
        **dict.fromkeys(("GOOGLE_OAUTH_URL", "GOOGLE_API_URL", "GOOGLE_SHEETS_URL"), address),
    }


def slack_at(address: str) -> dict[str, str]:
    """The environment of a product whose Slack is at this address."""
    return {
        "SLACK_CLIENT_ID": names.SLACK_CLIENT_ID,
        "SLACK_CLIENT_SECRET": names.SLACK_CLIENT_SECRET,
        "SLACK_SIGNING_SECRET": names.SLACK_SIGNING_SECRET,
        **dict.fromkeys(("SLACK_URL", "SLACK_HOOKS_URL", "SLACK_FILES_URL"), address),
    }
