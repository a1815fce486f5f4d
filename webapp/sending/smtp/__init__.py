"""SMTP: one connection, from dialling to its last message.

connect        resolves, connects, secures and signs in
sign_in        SASL mechanisms: PLAIN, LOGIN, CRAM-MD5, XOAUTH2 (RFC 4954)
protocol       commands and replies over a connection that is signed in
session        messages over a connection, step by step
transaction    MAIL and RCPT of one message as bytes, and the outcomes by their answers
pool           the open connections of each account
"""
