"""People: signing up, signing in, and the mail about it.

sign_up         an organization of one's own, by a mailed link
owners          the first owner, and passwords that the operator sets
sessions        signing in and out
two_step        a second factor
totp            codes of authenticator apps (RFC 6238)
passwords       passwords and their reset
names           people's names
one_time_links  links that prove who reads an address, and mailing them
system_email    mail of the instance itself
email_queue     such mail that waits in rows
"""
