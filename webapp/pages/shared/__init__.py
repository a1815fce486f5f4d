"""Helpers of several pages."""
