"""The client of openapi-python-client, which the tool generates before it checks and runs this file."""

import json
import os
from typing import TypeVar

from pennypost_client import AuthenticatedClient
from pennypost_client.api.contacts import contacts_upsert_many
from pennypost_client.api.emails import emails_change, emails_create, emails_index
from pennypost_client.api.metrics import metrics_index
from pennypost_client.models import (
    AcceptedEmail,
    ContactBatchWithWarnings,
    EmailChanges,
    EmailList,
    EmailResponseWithWarnings,
    MetricsList,
    NewContact,
    NewEmail,
    NewTag,
)
from pennypost_client.types import Unset

Shape = TypeVar("Shape")
TAG = NewTag(name="client", value="openapi-python-client")


def must(answer: object, shape: type[Shape]) -> Shape:
    if not isinstance(answer, shape):
        raise SystemExit(f"expected {shape.__name__}, not {answer}")
    return answer


def main() -> None:
    client = AuthenticatedClient(os.environ["PENNYPOST_URL"], os.environ["PENNYPOST_API_KEY"])
    email = NewEmail(
        from_="shop@example.com", to="ada@example.org", subject="Order 1042", text="Thank you.", tags=[TAG]
    )
    email.account_key = os.environ["ACCOUNT_KEY"]
    sent = must(emails_create.sync(client=client, body=email), AcceptedEmail)
    email.scheduled_at = "tomorrow 9am"
    later = must(emails_create.sync(client=client, body=email), AcceptedEmail)
    tag = f"{TAG.name}:{TAG.value}"
    listed = must(emails_index.sync(client=client, tag=tag, limit=5), EmailList)
    people = [NewContact(email=f"python{number}@example.org") for number in range(1_000)]
    upserted = must(contacts_upsert_many.sync(client=client, body=people), ContactBatchWithWarnings)
    changes = EmailChanges(scheduled_at="in 2 days")
    moved = must(emails_change.sync(later.id, client=client, body=changes), EmailResponseWithWarnings)
    metrics = must(metrics_index.sync(client=client, group_by="day,tag"), MetricsList)
    at, until = later.scheduled_at, moved.data.scheduled_at
    found = {
        "listed": {row.id for row in listed.data} == {sent.id, later.id},
        "created": sum(row.status == "created" for row in upserted.data),
        "scheduled": None if isinstance(at, Unset) else at.isoformat(),
        "moved": until and until.isoformat(),
        "accepted": sum(row.accepted for row in metrics.data if row.tag == tag),
    }
    print(json.dumps(found))


main()
