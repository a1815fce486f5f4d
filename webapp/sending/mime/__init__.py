"""Messages as bytes (RFC 5322, MIME)."""
