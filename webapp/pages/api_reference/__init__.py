"""The API reference, made from the OpenAPI document."""
