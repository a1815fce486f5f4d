"""What the showcase's people are called, what they are sent, and what went wrong on the way."""

OWNER, PASSWORD = "ada@northwind.example", "correct horse battery"  # who signs in

FIRST_NAMES = (
    *("Ada", "Ben", "Chloé", "Dilara", "Emil", "Fatima", "Göran", "Hana", "Ivo", "Jasmin", "Kofi", "Łucja"),
    *("Mei", "Noah", "Olga", "Priya", "Quentin", "Rosa", "Søren", "Teresa", "Ulrich", "Valentina", "Wanjiru", "Zoë"),
)
LAST_NAMES = (
    *("Almeida", "Brandt", "Castellanos", "Dvořák", "Eriksson", "Fischer", "Gonzalez-Hernandez", "Haddad", "Ito"),
    *("Jensen", "Kowalska", "Lovelace", "Müller", "Nakamura", "Obi", "Petrov", "Rossi", "Schneider", "Tremblay"),
)
FIELDS = (
    ("city", "City", "text"),
    ("orders", "Orders", "number"),
    ("signup_date", "Signup Date", "date"),
    ("member", "Member", "boolean"),
)
CITIES = ("Berlin", "Lisbon", "Kraków", "Nairobi", "Osaka", "Reykjavík", "Santiago", "Wien")
SHOPS = ("example.org", "example.net", "mail.example", "books.example")
MAILBOXES = {1: "gmail.com", 2: "gmail.com", 3: "outlook.com", 4: "yahoo.co.uk", 6: "icloud.com"}

LETTER = """<!doctype html><html><body style="margin:0;background:#f4efe6;font-family:Georgia,serif">
<div style="max-width:560px;margin:0 auto;padding:32px;background:#ffffff">
<h1 style="font-size:26px">Dear {{ first_name | default: 'reader' }},</h1>
<p>this month we read about rivers. Five books that follow one from its spring to the sea, each in a language of its own.</p>
<p>In {{ city | default: 'your town' }} we read aloud on Thursday at seven, and there is tea.</p>
<p style="font-size:12px;color:#666666"><a href="{{ unsubscribe_url }}">Leave this list</a></p>
</div></body></html>"""
RECEIPT = """<!doctype html><html><body><h1>Thank you for your order</h1>
<table><tr><td>The River Why</td><td>14.90</td></tr><tr><td>Postage</td><td>2.10</td></tr></table>
<p>It leaves tomorrow morning. Your receipt is attached.</p></body></html>"""
RECEIPT_TEXT = "Thank you for your order.\n\nThe River Why  14.90\nPostage         2.10\n\nIt leaves tomorrow morning."

TEMPLATES: tuple[tuple[str, str, str, list[str]], ...] = (
    ("November letter", "Rivers, {{ first_name | default: 'reader' }}", LETTER, ["city", "first_name"]),
    ("Welcome", "Good that you are here, {{ first_name }}", LETTER, ["city", "first_name"]),
    ("A reading on Thursday", "Thursday at seven in {{ city }}", LETTER, ["city", "first_name"]),
    ("Order receipt", "Your order {{ order_number }}", RECEIPT, ["order_number"]),
    ("We have not heard from you in a long while and would like to know why", "", "", []),
)
BLOCKS = [
    {"type": "heading", "text": "Books for winter, {{ first_name | default: 'reader' }}"},
    {
        "type": "text",
        "text": "Snow is **on its way**, and so are new books:\n\n- Rivers, by Ada Moor\n- [The long night](https://northwind.example/night)",
    },
    {"type": "image", "url": "https://northwind.example/winter.jpg", "alt": "A shop window in the snow"},
    {"type": "button", "text": "See them all", "url": "https://northwind.example/winter"},
    {"type": "divider"},
    {
        "type": "columns",
        "columns": [
            [{"type": "heading", "text": "Tonight", "level": 3}, {"type": "text", "text": "A reading at seven."}],
            [
                {"type": "heading", "text": "In {{ city }}", "level": 3, "show_when": "city"},
                {"type": "text", "text": "Come and see us."},
            ],
        ],
    },
    {"type": "social", "links": [{"name": "Mastodon", "url": "https://social.example/@northwind"}]},
    {
        "type": "footer",
        "text": "You get this email because you bought a book from us.",
        "address": "Northwind Books\n1 Main Street, Berlin",
    },
]
SUBJECTS = (
    "Your order is on its way",
    "Reset your password",
    "Your receipt",
    "Grüße aus der Buchhandlung",
    "A question",
)
SPAM = (554, "554 5.7.1 Message rejected as spam by Content Filtering")
FAILURES = (
    (550, "550 5.1.1 <{to}>: Recipient address rejected: User unknown in virtual mailbox table"),
    (552, "552 5.2.2 The mailbox is full and cannot take more mail"),
    SPAM,
)
PATHS = ("/v1/emails", "/v1/contacts", "/v1/segments", "/v1/campaigns", "/v1/mail-logs", "/v1/compose")
NO_ADDRESS = "invalid email address: An email address must have an @-sign."
REFUSED_ROWS = (
    (17, NO_ADDRESS, ["ada(at)example.org", "Ada", "Berlin"]),
    (58, "email is required", ["", "Nobody", ""]),
    (203, "has 4 cells, but the first row has 3", ["ben@example.org", "Ben", "Wien", "Prater 4"]),
)

SAYS = {
    "subject": "Two weeks of reading, {{ first_name | default: 'dear reader' }}",
    "preview_text": "Three novels for rainy afternoons, and what the cellar had in store",
    "from_name": "Northwind Letters",
    "from_email": "letters@northwind.example",
    "reply_to": "the-people-of-the-shop@northwind.example",
    "utm": {"source": "newsletter", "medium": "email", "campaign": "every-other-week"},
}
