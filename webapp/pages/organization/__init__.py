"""The organization: team, keys, plan, logs.

settings      name and timezone
switch        one's other organizations
team          members and roles
invitations   inviting
api_keys      keys
api_requests  the log of API requests
audit_log     the audit log
usage         what is used of the plan
"""
