"""People: sign-up, sign-in and the related emails.

sign_up         creates an organization by a mailed link
owners          the first owner, and passwords set by the operator
sessions        signs in and out
two_step        the second factor
totp            codes of authenticator apps (RFC 6238)
passwords       changes and resets passwords
names           people's names
one_time_links  links that prove who reads an address
system_email    emails from the instance itself
email_queue     such emails waiting in rows
"""
