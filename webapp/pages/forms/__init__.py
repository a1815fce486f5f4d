"""The public pages of sign-up forms."""
