"""Contacts."""
