"""Bodies of requests: admitted, parsed, bounded."""
