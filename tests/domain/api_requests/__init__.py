"""What API requests leave behind."""
