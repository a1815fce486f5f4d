"""Checks if mail from accounts' From addresses passes SPF, DKIM and DMARC at the servers that receive it."""
