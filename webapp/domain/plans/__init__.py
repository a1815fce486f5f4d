"""Plan limits."""
