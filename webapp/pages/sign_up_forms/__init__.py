"""Sign-up forms, as their organization makes them."""
