"""Opens and clicks of emails, if tracking is on."""
