"""A pytest plugin that declares one more field of a contact, before the models are imported."""

from webapp.contact_fields import CONTACT_FIELDS, ContactField, FieldKind

CONTACT_FIELDS.append(
    ContactField(
        name="nickname",
        kind=FieldKind.TEXT,
        label="Nickname",
        description="What friends say.",
        sample="Addie",
        max_length=20,
        headings="spitzname",
    )
)
