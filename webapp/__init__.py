"""Pennypost. docs/where-things-are.md maps the code; tests/test_architecture.py says which layer may import which."""

__version__ = "0.1.0"
