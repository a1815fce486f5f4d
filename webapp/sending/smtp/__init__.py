"""SMTP: one connection, from dialling to its last message."""
