"""SMTP: one connection, from dialling to its last message.

connect        resolves the host, connects, starts TLS and signs in
sign_in        SASL mechanisms: PLAIN, LOGIN, CRAM-MD5, XOAUTH2 (RFC 4954)
protocol       commands and replies after sign-in
session        sends messages over a connection, step by step
transaction    MAIL and RCPT of one message, and the outcomes of their replies
pool           the open connections of each account
"""
