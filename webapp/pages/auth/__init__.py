"""Sign-up, sign-in, and a user's own account."""
