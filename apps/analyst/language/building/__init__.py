"""From a resolved sketch to one query, step by step: settle, scan, restrict, group or list, order."""
