"""Webhooks: endpoints of an organization that its events are posted to.

webhooks   adds, changes and deletes them; their secrets
log        their deliveries and attempts, tests and replays
deliver    posts what is due, as a worker's task
"""
