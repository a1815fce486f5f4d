"""An instance full of everything: what its pages look like, how they are used, and what they cost is measured on it."""
