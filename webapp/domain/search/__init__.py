"""Searches everything of an organization."""
