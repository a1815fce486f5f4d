"""Erasing and exporting what is stored of a person."""
