"""Slack: linked members ask in their organization's workspace and are answered there."""
