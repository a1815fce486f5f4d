"""The media library: pictures for an organization's emails."""
