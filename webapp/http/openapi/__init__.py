"""The OpenAPI 3.1 document of /v1.

document  the document, made from the routes
errors    a schema for each error, a response for each status
examples  example values, made from schemas
"""
