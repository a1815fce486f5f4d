"""What the API and the pages share: authentication, forms, errors and limits."""
