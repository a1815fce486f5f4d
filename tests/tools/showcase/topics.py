"""Topics, with what contacts chose of them."""

from collections.abc import Sequence
from datetime import timedelta

from tests.factories import make_topic
from webapp import clock
from webapp.models import Contact, Organization, Topic, TopicChoice
from webapp.models.contact import ConsentKind
from webapp.models.topic import Subscription, Visibility

TOPICS = (
    ("New books", "What we have just unpacked, every other week.", Subscription.OPT_IN, Visibility.PUBLIC),
    ("Readings and events", "Invitations to our shops, and the book fair.", Subscription.OPT_IN, Visibility.PUBLIC),
    ("Beta readers", "Proofs of books that nobody else has read yet.", Subscription.OPT_OUT, Visibility.PRIVATE),
)
KINDS = (ConsentKind.PERSON, ConsentKind.PERSON, ConsentKind.FORM, ConsentKind.API)


async def make_topics(org: Organization, contacts: Sequence[Contact]) -> list[Topic]:
    """Every few contacts have chosen against a topic's default; the first one has chosen about all but the last."""
    made = []
    for number, (name, description, default, visibility) in enumerate(TOPICS):
        fields = {"default_subscription": default, "visibility": visibility, "position": number}
        topic = await make_topic(org, name=name, description=description, **fields)
        other = default.other
        choosing = contacts[number : None : 9 + 4 * number]
        if number == 1:
            choosing = [contacts[0], *choosing]
        rows = [
            TopicChoice(
                org=org,
                topic=topic,
                contact_id=contact.id,
                subscription=other,
                source=KINDS[place % len(KINDS)],
                changed_at=clock.now() - timedelta(days=place % 40, hours=3),
            )
            for place, contact in enumerate(choosing)
        ]
        await TopicChoice.bulk_create(rows)
        made.append(topic)
    return made
