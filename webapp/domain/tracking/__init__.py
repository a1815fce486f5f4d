"""Opens and clicks of emails, where somebody switched them on.

placeholders  the words in a content that stand for its links and its pixel, and the signed addresses in their place
hits          requests for these addresses, buffered and saved in batches
rules         who made a hit: a person, a machine, or one cannot tell
judging       applies the rules a minute later, and tells webhooks
engagement    the opens and clicks of a run, with what each rule leaves out, and those of an email
"""
