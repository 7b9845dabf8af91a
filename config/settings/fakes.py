"""One process wired to stand-ins of all outside services, on the ports after the product's: `make run-with-fakes`."""

from apps.integrations.fakes import names as _names
from config.settings.local import *  # noqa: F403
from config.settings.local import PORT

FAKES = {"hubspot": PORT + 1, "google": PORT + 2, "slack": PORT + 3}

HUBSPOT_CLIENT_ID = _names.HUBSPOT_CLIENT_ID
HUBSPOT_CLIENT_SECRET = _names.HUBSPOT_CLIENT_SECRET
HUBSPOT_API_URL = f"http://127.0.0.1:{FAKES['hubspot']}"
HUBSPOT_AUTHORIZE_URL = f"{HUBSPOT_API_URL}/oauth/authorize"

GOOGLE_CLIENT_ID = _names.GOOGLE_CLIENT_ID
GOOGLE_CLIENT_SECRET = _names.GOOGLE_CLIENT_SECRET
GOOGLE_PICKER_KEY, GOOGLE_APP_ID = _names.GOOGLE_PICKER_KEY, _names.GOOGLE_APP_ID
GOOGLE_OAUTH_URL = GOOGLE_API_URL = GOOGLE_SHEETS_URL = f"http://127.0.0.1:{FAKES['google']}"
GOOGLE_AUTHORIZE_URL = f"{GOOGLE_API_URL}/o/oauth2/v2/auth"
GOOGLE_PICKER_URL = f"{GOOGLE_API_URL}/js/api.js"
GOOGLE_PICKER_FRAMES = [f"http://localhost:{FAKES['google']}"]

SLACK_CLIENT_ID = _names.SLACK_CLIENT_ID
SLACK_CLIENT_SECRET = _names.SLACK_CLIENT_SECRET
SLACK_SIGNING_SECRET = _names.SLACK_SIGNING_SECRET
SLACK_URL = SLACK_HOOKS_URL = SLACK_FILES_URL = f"http://127.0.0.1:{FAKES['slack']}"
