"""The API reference, made from the OpenAPI document.

reference  its pages: the overview, and one for each noun
endpoints  the nouns with their endpoints, and the errors
search     endpoints, fields, errors and guides by words
samples    requests to paste
"""
