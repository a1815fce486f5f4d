"""Emails to members about campaigns that ended or were halted, accounts that can't send, and disabled webhooks."""
