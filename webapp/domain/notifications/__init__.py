"""Emails to members about campaigns that ended or were halted, and accounts that can't send.

preferences    which of them a member gets
notifications  finds what happened, and mails it
emails         their words
"""
