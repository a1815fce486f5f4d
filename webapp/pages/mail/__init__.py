"""Mail logs and emails."""
