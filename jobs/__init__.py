"""The worker process: the dispatcher, periodic work and arq. The rules are in webapp/domain."""
