"""Queries that are more than a lookup, one file per question."""
