"""Mail whose outcomes are in the answer to its request."""
