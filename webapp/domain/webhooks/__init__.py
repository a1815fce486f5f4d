"""Webhooks: endpoints that an organization's events are posted to."""
