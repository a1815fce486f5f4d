"""Contacts and imports."""
