"""Sending accounts."""
