"""The rules: a package per noun, and modules that several of them need."""
