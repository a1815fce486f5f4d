"""What readers choose on the page of their link."""
