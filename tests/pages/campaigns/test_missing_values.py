"""The review of a campaign names the merge tags that some contacts have no value for, and leads to their place."""

from typing import Any

import pytest

from tests.factories import make_campaign, make_contact, make_segment
from tests.pages.conftest import Visitor
from webapp.domain.inputs import read_input
from webapp.domain.templates.inputs import NewTemplate
from webapp.domain.templates.templates import add_template
from webapp.models import CustomField, Organization

MJML = "<mjml><mj-body><mj-section><mj-column><mj-text>{{ stadt }}</mj-text></mj-column></mj-section></mj-body></mjml>"
BLOCKS = [
    {"type": "text", "text": "stadt, {{ stadtteil }}{{ first_name | default: 'x' }}"},
    {"type": "columns", "columns": [[], [{"type": "text", "text": "Hello, {{stadt}}"}]]},
]


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ({"kind": "blocks", "blocks": BLOCKS}, "blocks[1].columns[1][0].text"),
        ({"kind": "mjml", "mjml": MJML}, "mjml"),
        ({"body": "<p>{{ stadt }}</p>"}, "body"),
        ({"body": "<p>Hello</p>", "subject": "News of {{ stadt }}"}, "subject"),
    ],
)
async def test_a_missing_value_is_named_by_its_label_with_a_link_to_its_tag(
    owner: Visitor, acme: Organization, rival: Organization, content: dict[str, Any], place: str
) -> None:
    for org, label in ((acme, "City"), (rival, "Theirs")):
        await CustomField.create(org=org, name="stadt", name_key="stadt", label=label)
    members = [await make_contact(acme, custom_fields={"stadt": city, "stadtteil": "Mitte"}) for city in ("Bonn", "")]
    template = await add_template(
        acme, read_input(NewTemplate, {"name": "Ours", "subject": "News"} | content, strict=True)
    )
    campaign = await make_campaign(acme, segment=await make_segment(acme, *members), template=template)
    page = await owner.get(f"/campaigns/{campaign.id}/review")
    words = (
        '1 contact has no value for “City”, so {{ stadt }} will be blank. Add a default: {{ stadt | default: "…" }}.'
    )
    (finding,) = [found for found in page.soup.select(".findings li") if words in found.get_text()]
    link = finding.find("a", string="Edit the template")["href"]
    assert link == f"/templates/{template.id}#f-{place}"
    assert (await owner.get(f"/templates/{template.id}")).soup.find(id=f"f-{place}")["name"] == place
