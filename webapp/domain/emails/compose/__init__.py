"""Mail whose outcomes are in the response to its request."""
