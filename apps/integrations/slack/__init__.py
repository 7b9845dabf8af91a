"""Slack: linked members ask in their organisation's workspace and are answered there."""
