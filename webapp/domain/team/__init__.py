"""The team of an organization.

team              members and their roles
invitations       inviting
invitation_mails  mails an invitation's link
join              accepting an invitation
"""
