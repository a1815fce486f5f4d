"""The media library's pages, and the address at which everybody sees a picture."""
