"""One process wired to stand-ins of all outside services, on the ports after the product's: `make run-with-fakes`."""

from apps.integrations.fakes.names import HUBSPOT_CLIENT_ID as _HUBSPOT_ID
from apps.integrations.fakes.names import HUBSPOT_CLIENT_SECRET as _HUBSPOT_SECRET
from config.settings.local import *  # noqa: F403
from config.settings.local import PORT

FAKES = {"hubspot": PORT + 1, "google": PORT + 2, "slack": PORT + 3}

HUBSPOT_CLIENT_ID = _HUBSPOT_ID
HUBSPOT_CLIENT_SECRET = _HUBSPOT_SECRET
HUBSPOT_API_URL = f"http://127.0.0.1:{FAKES['hubspot']}"
HUBSPOT_AUTHORIZE_URL = f"{HUBSPOT_API_URL}/oauth/authorize"
