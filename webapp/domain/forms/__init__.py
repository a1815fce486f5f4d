"""Sign-up forms."""
