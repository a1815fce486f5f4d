"""The worker: the sender loop, the ticker, and arq. Shallow: every rule is in webapp/domain."""
