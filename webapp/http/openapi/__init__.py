"""The OpenAPI 3.1 document of /v1."""
