"""The API reference, made from the OpenAPI document.

reference  the page
schemas    schemas in words
samples    requests to paste
"""
