"""The engine: questions about tables in, computed answers with their evidence out. Plain Python, no Django."""
