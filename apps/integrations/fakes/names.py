"""What the stand-ins call the product's app. It opens nothing but them. No imports: settings read this."""

HUBSPOT_CLIENT_ID = "fake-hubspot-client"
HUBSPOT_CLIENT_SECRET = "fake-hubspot-secret"  # noqa: S105

GOOGLE_CLIENT_ID = "fake-google-client.apps.googleusercontent.example"
GOOGLE_CLIENT_SECRET = "fake-google-secret"  # noqa: S105
GOOGLE_PICKER_KEY = "fake-picker-key"
GOOGLE_APP_ID = "100000000001"

SLACK_CLIENT_ID = "1000000000.2000000000"
SLACK_CLIENT_SECRET = "fake-slack-secret"  # noqa: S105
SLACK_SIGNING_SECRET = "fake-slack-signing-secret"  # noqa: S105
