"""People: sign-up, sign-in and the related emails."""
