"""Admits, parses and bounds the bodies of requests."""
