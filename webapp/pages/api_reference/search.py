"""Searches the API reference for guides, endpoints, fields and errors."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from webapp.pages.api_reference.endpoints import ApiEndpoint, ApiNoun, FieldRow, api_errors, api_nouns

OVERVIEW = "/reference"
# The sections of the overview by anchor, with their titles and the texts that are searched.
GUIDES = {
    "base-url": ("Base URL", "The API's address on this server, and its legacy address /api/v1."),
    "keys": ("Authentication", "API keys, the Authorization header, and what each role can do."),
    "languages": ("Examples", "Requests in curl, Python and Node."),
    "lists": ("Pagination and times", "Lists with data and meta, page and page_size; times in ISO 8601."),
    "idempotency": ("Idempotency", "Safe retries with an Idempotency-Key."),
    "sender": ("Sending account", "Which account sends an email that has no account_key."),
    "limits": ("Rate limits and retention", "RateLimit headers, Retry-After, rates by plan, and how long data stays."),
    "errors": ("Errors", "Status codes, error names, and which to retry."),
}
SHOWN = 25  # of each kind


class ReferenceHit(NamedTuple):
    path: str
    anchor: str
    label: str
    text: str
    method: str = ""
    kind: str = ""
    endpoint: str = ""

    def has(self, words: list[str]) -> bool:
        searched = f"{self.label} {self.text} {self.method} {self.kind} {self.endpoint}".casefold()
        return all(word in searched for word in words)

    def rank(self, words: list[str]) -> int:
        label = self.label.casefold()
        return 0 if words == [label] else 1 if all(word in label for word in words) else 2


class ReferenceHits(NamedTuple):
    shown: list[ReferenceHit]
    total: int


def search_reference(query: str) -> dict[str, ReferenceHits]:
    """The hits with every word of the query, by kind; those with the words in their names come first."""
    nouns = list(api_nouns().values())
    kinds: dict[str, Iterable[ReferenceHit]] = {
        "Guides": (ReferenceHit(OVERVIEW, anchor, *guide) for anchor, guide in GUIDES.items()),
        "Endpoints": (
            ReferenceHit(noun.path, endpoint.id, endpoint.path, endpoint.summary, endpoint.method)
            for noun in nouns
            for endpoint in noun.endpoints
        ),
        "Request fields": _request_fields(nouns),
        "Response fields": _response_fields(nouns),
        "Errors": (
            ReferenceHit(OVERVIEW, error.anchor, error.name, error.text, str(error.status)) for error in api_errors()
        ),
    }
    words = query.casefold().split()
    matching = {kind: [hit for hit in hits if hit.has(words)] for kind, hits in kinds.items()}
    for hits in matching.values():
        hits.sort(key=lambda hit: hit.rank(words))
    return {kind: ReferenceHits(hits[:SHOWN], len(hits)) for kind, hits in matching.items() if hits}


def _request_fields(nouns: list[ApiNoun]) -> Iterator[ReferenceHit]:
    for noun in nouns:
        for endpoint in noun.endpoints:
            for row in (*endpoint.parameters, *endpoint.body):
                yield _field(noun, endpoint, row, endpoint.anchor_of(row))


def _response_fields(nouns: list[ApiNoun]) -> Iterator[ReferenceHit]:
    """Each field of a noun once, at the first endpoint that returns it."""
    for noun in nouns:
        known = set[str]()
        for endpoint in noun.endpoints:
            for row in endpoint.answer_fields:
                name = row.name.removeprefix("data[].").removeprefix("data.")
                if name not in known:
                    known.add(name)
                    yield _field(noun, endpoint, row._replace(name=name), endpoint.answer_anchor)


def _field(noun: ApiNoun, endpoint: ApiEndpoint, row: FieldRow, anchor: str) -> ReferenceHit:
    return ReferenceHit(noun.path, anchor, row.name, row.text, "", row.kind, f"{endpoint.method} {endpoint.path}")
