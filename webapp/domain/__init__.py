"""Every rule of the service: verbs over rows, no HTTP, no queue library."""
