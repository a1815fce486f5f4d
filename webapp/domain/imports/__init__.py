"""Imports of contacts from CSV files."""
