"""Recognizes file names that say that everyone in the file has left."""

import re

from webapp.domain.contacts.status_words import ANY_LEAVING, spaced

# Matched against words separated by spaces, with every word for leaving replaced by LEFT.
LEFT_FILE = re.compile(
    r"\b(?:(?:non|not|never|no longer) ?(?:subscri\w+|opted in)|(?!no)\w*unsub\w*|\w*opt(?:ed)? ?outs?"
    r"|cleaned ?(?=members?|email|segment|audience|contacts|subscribers|addresses)|(?!no)\w*bounce[ds]"
    r"|(?:hard|soft|e?mail) ?bounce|bounce(?= (?:list|report|export|log|e?mails?|addresses|contacts|members|\d)|$)"
    r"|suppress\w*|\w*complain\w*|(?:black|block) ?list\w*|do ?not ?(?:e?mail|contact|market|send)\w*"
    rf"|(?!no)\w*{ANY_LEAVING.pattern}\w*)"
)
STAYING = re.compile(
    r"\b(?:no|not|non|never|without|excl\w*|except\w*|minus|less|but|w o|free of|cleaned of|sans|ohne|sin|remov\w+"
    r"|filter\w+|scrub\w+|incl\w*|plus)\b.*\bLEFT\b|\bLEFT\b.*\b(?:removed|excluded|filtered|free|too)\b"
    r"|\b(?:subscribed|active|all)\b"
)


def are_gone(file_name: str) -> bool:
    """True if the name says that everyone in the file has left, like a Mailchimp export's."""
    name = LEFT_FILE.sub("LEFT ", spaced(re.sub(r"\.\w+$", "", file_name)))
    return "LEFT" in name and not STAYING.search(name)
