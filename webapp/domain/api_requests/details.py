"""Details of the newest API requests without secrets: query, headers and bodies, for up to DETAIL_DAYS days."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from webapp.domain.api_requests.masking import BodyStart, mask_body, mask_headers, mask_query
from webapp.models.api_request import NewRequest, NewRequestDetails

DETAIL_DAYS = 7
DETAIL_ROWS = 50_000  # per organization: at most 400 MB, pruned every ten minutes


class RawDetails(NamedTuple):
    """Unmasked; secrets are masked when they are written, outside of the request."""

    query: bytes
    headers: Sequence[tuple[str, str]]
    request_body: BodyStart | None
    response_body: BodyStart | None

    @property
    def size(self) -> int:
        bodies = sum(len(body.start) for body in (self.request_body, self.response_body) if body is not None)
        return len(self.query) + sum(len(name) + len(value) for name, value in self.headers) + bodies


def mask_details(raw: Iterable[tuple[NewRequest, RawDetails]]) -> list[NewRequestDetails]:
    masked = []
    for request, details in raw:
        sent, got = mask_body(details.request_body), mask_body(details.response_body)
        masked.append(
            NewRequestDetails(
                id=request.id,
                created_at=request.created_at,
                org_id=request.org_id,
                query=mask_query(details.query),
                headers=mask_headers(details.headers),
                request_body=sent.text,
                request_body_is_cut=sent.is_cut,
                response_body=got.text,
                response_body_is_cut=got.is_cut,
            )
        )
    return masked
