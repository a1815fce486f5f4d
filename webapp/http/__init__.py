"""HTTP as the API and the pages share it: who asks, forms, errors, limits."""
