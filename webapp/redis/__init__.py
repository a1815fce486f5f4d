"""Redis: the client, scripts, and the embedded server."""
