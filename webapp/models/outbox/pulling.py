"""Which accounts can pull rows of campaigns."""

# Of the account `a` of a run, apart from its rests and its limit. It may be in `error`: a row is its probe.
HAS_ADDRESS = "a.from_email IS NOT NULL"
CAN_PULL = f"(a.status <> 'paused' AND {HAS_ADDRESS})"
