"""Emails to members about campaigns that ended or were halted, accounts that can't send, and disabled webhooks.

preferences    which of them a member gets
notifications  finds what happened, and mails it
emails         their words
"""
