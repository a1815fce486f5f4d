"""The engine: from a due row to its outcome."""
