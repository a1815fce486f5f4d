"""Templates.

templates  saved mails with merge tags, and mails made of them
inputs     what callers hand in
blocks     the pieces of a letter, and their bounds
compile    blocks compiled to HTML
mjml       MJML checked and compiled to HTML
markdown   bold, italic, links and lists of text blocks
links      addresses that a letter may link to
style      colours, fonts, and their contrast
brand      the style that an organization has set
starters   the gallery of letters to begin with
starter_letters  those letters
client_checks  what email programs and readers stumble over
letter_pictures  what a letter shows of the media library, for these checks
files      files to begin with
versions   former contents, and how they come back
preview    what a reader gets
"""
