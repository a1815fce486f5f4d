"""API requests."""
