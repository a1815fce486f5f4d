"""How fast the service is on this machine: `make bench`."""
