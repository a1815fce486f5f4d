"""Signing up, signing in, one's own account.

claim           the first owner
sign_up         an organization of one's own
sign_in         signing in and out
two_step        the second factor
reset_password  a forgotten password
join            an invitation's link
security        name, password, notifications and sessions
"""
