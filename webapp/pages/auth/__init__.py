"""Signing up, signing in, one's own account."""
