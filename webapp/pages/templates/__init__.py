"""Templates.

templates  the list, and the editor that saves
editing    the editor's form and its preview
blocks     adding, moving and deleting blocks
"""
