"""Runs one SELECT over Parquet tables, with limits: in process or in killable child processes."""
