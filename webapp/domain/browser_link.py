"""The signed link to a campaign email in the browser: `<ids in base64>.<HMAC>`, without an address."""

from uuid import UUID

from webapp.config import settings
from webapp.domain import link_signing

BROWSER_URL = "browser_url"  # the merge tag
PURPOSE = "view"


def link(row_id: UUID, org_id: UUID) -> str:
    return f"{settings().base_url}/view/{link_signing.sign_ids(PURPOSE, row_id, org_id)}"


def sample_link() -> str:
    return f"{settings().base_url}/view/{link_signing.SAMPLE}"
