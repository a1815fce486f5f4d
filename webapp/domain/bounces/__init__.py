"""Later bounces and complaints, read from mailboxes."""
