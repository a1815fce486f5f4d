"""The installation as a whole."""
