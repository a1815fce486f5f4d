"""Pennypost: README.md says where things are, tests/test_architecture.py which layer imports which."""

__version__ = "0.1.0"
