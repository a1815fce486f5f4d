"""Conditions on contacts in SQL, and lists of them."""
