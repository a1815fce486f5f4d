"""The organization: team, keys, plan, logs."""
