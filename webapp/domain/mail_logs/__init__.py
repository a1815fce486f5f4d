"""Mail logs: a row per recipient."""
