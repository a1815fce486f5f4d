"""The addresses and domains that an organization sends nothing to."""

from enum import StrEnum

from tortoise import fields

from webapp.models.base import OrgModel


class SuppressionReason(StrEnum):
    BOUNCE = "bounce"
    COMPLAINT = "complaint"
    MANUAL = "manual"
    IMPORT = "import"


class Suppression(OrgModel):
    """An address, or with `*` as its local part all addresses of a domain."""

    email = fields.CharField(max_length=254)
    email_key = fields.CharField(max_length=254)  # `email` in lower case, which contacts' keys are compared with
    reason = fields.CharField(max_length=16)
    mail_log_id = fields.UUIDField(null=True)  # whose bounce or complaint it was

    class Meta:
        table = "suppressions"
        unique_together = (("org_id", "email_key"),)
        indexes = (("org_id", "id"),)
