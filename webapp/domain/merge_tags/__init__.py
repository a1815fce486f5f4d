"""Merge tags: Liquid with bounds on time and output."""
