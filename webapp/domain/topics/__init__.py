"""Topics, and which of them each contact gets."""
