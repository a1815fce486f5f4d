"""Templates.

templates  saved mails with merge tags, and mails made of them
inputs     what callers hand in
blocks     the pieces of a letter, and their bounds
compile    blocks as MJML for the compiler
mjml       MJML for the compiler
compiler   checks MJML, compiles it to HTML and inlines CSS; a script that is run as a process of its own
run_compiler  runs it within bounds
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
