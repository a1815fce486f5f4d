"""The organization: team, keys, plan and logs."""
