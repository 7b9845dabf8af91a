"""What the columns of a catalog mean."""
