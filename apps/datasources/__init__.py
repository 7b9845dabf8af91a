"""Stored files, the tables made from them, and the catalog of one organization's tables."""
