"""The worker: the dispatcher, the ticker, and arq; every rule is in webapp/domain."""
