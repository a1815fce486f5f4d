"""Webhooks: endpoints of an organization that its events are posted to."""
