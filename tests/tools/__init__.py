"""Programs for those who work on Pennypost, behind targets of the Makefile, and their tests."""
