"""Helpers that several pages share."""
