"""SMTP: one connection, from dialling to its last message.

connect        resolves, connects, secures and signs in
sign_in        SASL mechanisms: PLAIN, LOGIN, CRAM-MD5, XOAUTH2 (RFC 4954)
protocol       commands out, replies in, over a connection that stands
session        a message over a connection, step by step
transaction    MAIL, RCPT and DATA of one message as bytes, and what their answers mean
pool           the open connections of each account
known_servers  peculiarities of servers, remembered for an hour
"""
