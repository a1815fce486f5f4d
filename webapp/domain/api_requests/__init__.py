"""API requests.

log          records them in batches
search       searches them
counter      counts them by organization and month
idempotency  answers a repeated request as the first
"""
