"""The worker process: the dispatcher, periodic work and arq; every rule is in webapp/domain."""
