"""Authentication and permissions.

api_key          the API key of a program
session          the session of a person's browser
permissions      the roles that a route demands
csrf             forms come from our own pages
cookies          reading and setting cookies
throttles        counts of failed attempts
one_time_secret  secrets that are shown on one page, once
audit_actor      who changed something, for the audit log
"""
