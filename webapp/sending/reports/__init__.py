"""Later bounces and complaints: reads a mailbox without changing it, and interprets its reports."""
