"""The media library's pages, and the public URLs of pictures."""
