"""The names of merge tags in a review: found in any case, and named where nobody has them."""

from tests.factories import make_campaign, make_contact, make_segment, make_template
from webapp.domain.campaigns.review import review_campaign
from webapp.models import Organization

BODY = "{{ city }} {{ City }} {% if ctiy %}{{ ctiy }}{% endif %} {{ shoe }} {{ first_nam | default: 'x' }} {{ phone }}"


async def said_of(org: Organization, *fields: dict[str, str]) -> list[str]:
    segment = await make_segment(org, *[await make_contact(org, custom_fields=one) for one in fields])
    campaign = await make_campaign(org, segment=segment, template=await make_template(org, subject="Hi", body=BODY))
    return [
        one.text
        for one in (await review_campaign(org, campaign)).checks
        if "a value" in one.text or "no value" in one.text
    ]


async def test_a_name_that_nobody_has_is_named_with_the_likely_one(acme: Organization, rival: Organization) -> None:
    await said_of(rival, {"ctiy": "Rome", "shoe": "41"})
    assert await said_of(acme, {"City": "Bonn"}, {"city": "Ulm"}) == [
        "No contact has a value for {{ shoe }}.",
        "No contact has a value for {{ ctiy }}. Did you mean {{ city }}?",
        "No contact has a value for {{ first_nam }}. Did you mean {{ first_name }}?",
        '2 contacts have no value for “Phone”, so {{ phone }} will be blank. Add a default: {{ phone | default: "…" }}.',
    ]
    assert (await said_of(acme, {"City": "Bonn", "shoe": "41"}, {}))[-1] == (
        '1 contact has no value for “shoe”, so {{ shoe }} will be blank. Add a default: {{ shoe | default: "…" }}.'
    )


async def test_a_field_of_other_contacts_is_no_mistake(acme: Organization, rival: Organization) -> None:
    await make_contact(rival, custom_fields={"shoe": "41"})
    await make_contact(acme, custom_fields={"City": "Bonn", "ctiys": "2"})
    assert (await said_of(acme, {"city": ""}))[:4] == [
        "None of these recipients has a value for {{ city }}. Add a default.",
        "None of these recipients has a value for {{ City }}. Add a default.",
        "No contact has a value for {{ shoe }}.",
        "No contact has a value for {{ ctiy }}. Did you mean {{ ctiys }}?",
    ]
