"""The organization: team, keys, plan, logs.

settings      name and timezone
brand         colours, font, logo and address of emails
switch        one's other organizations
team          members and roles
invitations   inviting
api_keys      keys
api_requests  the log of API requests
events        the feed of events
webhooks      webhooks and the log of what was posted
audit_log     the audit log
usage         what is used of the plan
"""
