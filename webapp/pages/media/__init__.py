"""The media library's pages, and the address at which everybody sees a picture.

library  the grid of pictures, uploads, deletion
serving  /m/<hash>/<name>, without a session
"""
