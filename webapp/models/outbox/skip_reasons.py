"""Reasons in a row's error for not sending a campaign's mail to its contact."""

DELETED = "the contact was deleted before the mail was sent"
UNSUBSCRIBED = "the contact unsubscribed before the mail was sent"
BOUNCED = "the contact's address turned out not to exist before the mail was sent"

_IN_SQL = ", ".join("'" + reason.replace("'", "''") + "'" for reason in (DELETED, UNSUBSCRIBED, BOUNCED))
IS_SKIP_REASON = f"COALESCE(error, '') IN ({_IN_SQL})"
