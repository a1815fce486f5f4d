"""Hundreds of contacts at once are looked up one by one, whatever the planner believes of the tables."""

import re

from tests.factories import make_contact, make_segment
from tests.queries import look_ups, plan_of
from webapp.models import Contact, Organization, SegmentContact

WHOLE = r"Seq Scan|Hash|Sort|^SCAN (?!json_each|k\b)"


async def test_contacts_are_found_by_their_addresses_in_their_organization_alone(
    acme: Organization, rival: Organization
) -> None:
    ours, _, theirs = [
        await make_contact(org, email)
        for org, email in ((acme, "a@x.example"), (acme, "b@x.example"), (rival, "a@x.example"))
    ]
    with look_ups() as sent:
        found = await Contact.with_keys(acme, {"a@x.example", "nobody@x.example"})
        held = await Contact.lock_many(acme, [ours.id, theirs.id, ours.id])
    assert [one.id for one in found] == [one.id for one in held] == [ours.id]
    assert found[0].custom_fields == ours.custom_fields
    assert found[0].created_at == ours.created_at
    assert await Contact.with_keys(acme, []) == []
    for (statement, values), column in zip(sent, ("email_key", "id"), strict=True):
        steps = await plan_of(statement, *values)
        assert not [step for step in steps if re.search(WHOLE, step)], steps
        assert [step for step in steps if re.search(rf"\b{column}\b.*[>=]", step)], steps


async def test_members_are_found_by_their_segment_and_contact(acme: Organization) -> None:
    member, other = await make_contact(acme), await make_contact(acme)
    segment, elsewhere = await make_segment(acme, member), await make_segment(acme, member, other)
    with look_ups() as sent:
        found = await SegmentContact.among(segment, [member.id, other.id])
    assert [one.contact_id for one in found] == [member.id]
    assert await SegmentContact.segments_of(acme, [member.id]) == {member.id: {segment.id, elsewhere.id}}
    await SegmentContact.join(segment, [other.id])
    assert {one.contact_id for one in await segment.memberships()} == {member.id, other.id}
    for statement, values in sent:
        steps = await plan_of(statement, *values)
        assert not [step for step in steps if re.search(WHOLE, step)], steps
