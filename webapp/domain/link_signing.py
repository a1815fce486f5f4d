"""Signs links with the key of the instance, so that they survive a change of the secret keys."""

import base64
from typing import NamedTuple
from uuid import UUID

from webapp import crypto
from webapp.config import settings
from webapp.errors import NotFound
from webapp.models.instance import is_signed, sign
from webapp.models.instance import load_signing_key as load_signing_key  # noqa: PLC0414 - for the doors, which know no models
from webapp.models.reader_mail import ReaderPath as ReaderPath  # noqa: PLC0414 - for the doors, which know no models

ID_BYTES = 16
SAMPLE = "test"  # the token in test mails
BROWSER_URL = "browser_url"  # the merge tag of the link to view a campaign email in the browser
VIEW = "view"  # what its token is signed for


def sign_ids(purpose: str, first: UUID, second: UUID) -> str:
    """A token of two ids: 43 characters of base64, a dot, and 43 of an HMAC-SHA-256."""
    text = crypto.urlsafe(first.bytes + second.bytes)
    return f"{text}.{sign(purpose, text)}"


def is_token(purpose: str, token: str) -> bool:
    text, _, signature = token.partition(".")
    return token.isascii() and is_signed(purpose, text, signature)


def ids_in(purpose: str, token: str) -> tuple[UUID, UUID]:
    """The ids of a `sign_ids` token. Raises NotFound if it is invalid."""
    if not is_token(purpose, token):
        raise NotFound
    ids = base64.urlsafe_b64decode(token.partition(".")[0] + "=")
    return UUID(bytes=ids[:ID_BYTES]), UUID(bytes=ids[ID_BYTES:])


class ReaderLink(NamedTuple):
    """A link in an email to a reader, whose token has two ids."""

    path: ReaderPath
    first: UUID
    second: UUID

    @property
    def url(self) -> str:
        """The working link; call it only while mailing, so that no table, log or answer contains it."""
        return self._url(sign_ids(self.path, self.first, self.second))

    @property
    def sample_url(self) -> str:
        """The placeholder of the link in stored bodies."""
        return self._url(SAMPLE)

    def _url(self, token: str) -> str:
        page = "/preferences" if self.path is ReaderPath.PREFERENCES else ""
        return f"{settings().base_url}/{self.path}/{token}{page}"


def instance_name() -> str:
    """Ten hexadecimal digits that identify this instance to others while its links are valid."""
    return crypto.digest(sign("instance", "name"))[:10]


def browser_link(row_id: UUID, org_id: UUID) -> str:
    """The link to view a campaign email in the browser; contains no address."""
    return f"{settings().base_url}/view/{sign_ids(VIEW, row_id, org_id)}"


def sample_browser_link() -> str:
    return f"{settings().base_url}/view/{SAMPLE}"
