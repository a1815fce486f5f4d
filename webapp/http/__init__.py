"""What the API and the pages share at the edge of HTTP."""
