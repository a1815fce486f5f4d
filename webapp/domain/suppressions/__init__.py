"""The addresses that an organization sends nothing to, in any way; webapp/models/queries/suppressed.py looks them up."""
