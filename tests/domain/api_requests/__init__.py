"""Details that are stored of API requests."""
