"""The media library: pictures that an organization puts into its emails."""
