"""Emails to members about campaigns, accounts that can't send, disabled webhooks, flooded forms and erasures."""
