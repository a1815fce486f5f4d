"""An older version, a faulty MJML file and a tag that some contacts lack: each with JavaScript and without."""

import re
from uuid import uuid4

from playwright.sync_api import Page, expect

from tests.browser.conftest import Service, in_database
from tests.browser.letters.test_media import file
from tests.browser.test_campaign_tasks import make_campaign, write_template
from tests.factories import make_contact, make_segment
from webapp.models import Organization

FAULTY = b"""\
<mjml>
  <mj-body>
    <mj-section>
      <mj-column>
        <mj-txt>Spring is here, {{ first_name | default: "friend" }}</mj-txt>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
"""
FAULT = "The MJML has an error at line 5: <mj-txt> is not an element of MJML."


def test_an_older_version_is_looked_at_and_restored(writer: Page) -> None:
    write_template(writer, "Rivers")
    mail = writer.frame_locator("iframe.mail-frame")
    writer.get_by_label("Body").fill("<p>Mountains.</p>")
    writer.get_by_role("button", name="Save", exact=True).click()
    expect(mail.get_by_text("Mountains.")).to_be_visible()
    writer.get_by_role("link", name="Versions").click()
    writer.get_by_role("table").get_by_role("link").click()
    expect(mail.get_by_text("Rivers.")).to_be_visible()
    writer.get_by_role("button", name="Restore this version").click()
    expect(writer.locator("#notes")).to_have_text("Version restored. What the template had before is a version now.")
    expect(writer.get_by_label("Body")).to_have_value(re.compile("Rivers"))
    expect(mail.get_by_text("Rivers.")).to_be_visible()
    writer.get_by_role("link", name="Versions").click()
    writer.get_by_role("table").get_by_role("link").first.click()
    expect(mail.get_by_text("Mountains.")).to_be_visible()


def test_a_fault_in_imported_mjml_is_named_by_its_line_and_mended(writer: Page) -> None:
    writer.goto("/templates")
    writer.get_by_role("link", name="Create template").first.click()
    writer.get_by_label("HTML or MJML file").set_input_files([file("spring.mjml", FAULTY)])
    writer.get_by_role("button", name="Open in the editor").click()
    fault, source = writer.locator("#f-mjml-error"), writer.get_by_label("MJML", exact=True)
    expect(fault).to_have_text(FAULT)
    writer.get_by_label("Subject").fill("Spring")
    writer.get_by_role("button", name="Save", exact=True).click()
    expect(fault).to_have_text(FAULT)
    expect(writer.get_by_label("Subject")).to_have_value("Spring")
    source.fill(source.input_value().replace("mj-txt", "mj-text"))
    writer.get_by_role("button", name="Save", exact=True).click()
    expect(writer.locator("#notes")).to_have_text("“spring” saved.")
    expect(fault).to_have_count(0)
    expect(writer.frame_locator("iframe.mail-frame").get_by_text("Spring is here, Ada")).to_be_visible()


def test_a_tag_that_a_contact_lacks_is_warned_of_before_sending(writer: Page, claimed: Service) -> None:
    name = f"Gardeners {uuid4().hex}"

    async def gather() -> None:
        (org,) = await Organization.all().order_by("id").limit(1)
        people = [await make_contact(org, first_name="Ann"), await make_contact(org)]
        await make_segment(org, *people, name=name)

    in_database(claimed, gather)
    writer.goto("/templates/new?kind=blocks")
    writer.get_by_label("Name").fill(name)
    writer.get_by_label("Subject").fill("Seeds")
    text = writer.get_by_role("group", name="Text 2", exact=True).get_by_label("Text")
    text.fill("Dear {{ first_name }}, the seeds are here.")
    writer.get_by_role("button", name="Save", exact=True).last.click()
    expect(writer.locator("#notes")).to_contain_text(" saved.")
    template = writer.url
    make_campaign(writer, name, name, name, "Sandbox")
    warning = writer.locator(".findings li", has_text="1 contact has no first_name; it will be blank. Add a default.")
    expect(warning).to_be_visible()
    expect(writer.get_by_role("button", name="Send to 2 contacts")).to_be_visible()
    review = writer.url
    writer.goto(template)
    text.fill('Dear {{ first_name | default: "gardener" }}, the seeds are here.')
    writer.get_by_role("button", name="Save", exact=True).last.click()
    expect(writer.locator("#notes")).to_contain_text(" saved.")
    writer.goto(review)
    expect(writer.get_by_role("heading", name="Pre-send checks")).to_be_visible()
    expect(warning).to_have_count(0)
