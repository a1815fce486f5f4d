"""Redis: the client, scripts in it, and the server that comes with Pennypost."""
