"""The API reference, made from the OpenAPI document.

reference  the page
samples    requests to paste
"""
