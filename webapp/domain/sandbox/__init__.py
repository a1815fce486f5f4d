"""The built-in inbox for tests."""
