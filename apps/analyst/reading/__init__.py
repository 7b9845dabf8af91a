"""Reads a question into plans with probabilities: a learned reader and a judge over all readings (see
ARCHITECTURE.md)."""
