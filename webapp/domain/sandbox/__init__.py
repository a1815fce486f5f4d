"""The built-in inbox for tests.

sandbox       what it received, and who may hand mail to it
message_view  a received message, parsed for reading
"""
