"""The addresses that an organization sends nothing to, see models/queries/contacts/suppressed.py."""
