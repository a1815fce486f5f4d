"""Receives email from programs by SMTP submission (RFC 6409): the door beside api and pages."""
