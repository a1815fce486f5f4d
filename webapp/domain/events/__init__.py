"""Events: what happened to emails, contacts, campaigns, accounts and suppressions."""
