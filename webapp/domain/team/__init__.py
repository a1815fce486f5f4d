"""The team of an organization.

team         members and their roles
invitations  inviting
join         accepting an invitation
"""
