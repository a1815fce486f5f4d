"""Emails to members about campaigns, accounts that can't send, disabled webhooks and flooded forms."""
