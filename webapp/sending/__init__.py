"""Sends one message over SMTP or the Gmail API, and reads the bounces that come back; knows no database."""
