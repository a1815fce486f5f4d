"""API requests.

log          records requests in batches
details      stores headers and bodies for some days
masking      hides secrets in them
search       searches and shows requests
counter      counts them per organization and month
idempotency  answers a repeated request like the first
"""
