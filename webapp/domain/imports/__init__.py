"""Imports of contacts and suppressions from CSV files."""
