"""API requests.

log          records them in batches
details      their headers and bodies, for some days
masking      hides secrets in these
search       searches them, and opens one
counter      counts them by organization and month
idempotency  answers a repeated request as the first
"""
