"""A pytest plugin: Pennypost with three more fields of a contact, one of each kind, declared before it is loaded."""

from webapp.contact_fields import CONTACT_FIELDS, ContactField, FieldKind

ADDED = [
    ContactField(
        name="nickname",
        kind=FieldKind.TEXT,
        label="Nickname",
        description="What friends say.",
        max_length=40,
        sample="Ace",
        headings="spitzname",
    ),
    ContactField(
        name="no_surveys",
        kind=FieldKind.BOOLEAN,
        label="No surveys",
        description="This contact gets no surveys.",
        is_choice=True,
    ),
    ContactField(
        name="quiet_until",
        kind=FieldKind.TIME,
        label="Quiet until",
        description="Nothing is sent before.",
        is_choice=True,
    ),
]
COLUMNS = {
    "sqlite": {"nickname": "VARCHAR(40)", "no_surveys": "INT NOT NULL DEFAULT 0", "quiet_until": "TIMESTAMP"},
    "postgres": {"nickname": "VARCHAR(40)", "no_surveys": "BOOL NOT NULL DEFAULT false", "quiet_until": "TIMESTAMPTZ"},
}
CONTACT_FIELDS += ADDED
