"""The team of an organization."""
