"""Templates.

templates  the list, and the editor that saves
editing    the editor's form and its preview
versions   former contents, shown and restored
starters   the gallery of letters, and files to begin with
blocks     adding, moving and deleting blocks
"""
