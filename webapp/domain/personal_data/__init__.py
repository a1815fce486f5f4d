"""Erases a person everywhere but in counts, and exports all that is stored of one."""
