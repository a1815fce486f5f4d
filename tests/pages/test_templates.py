"""Templates on their pages: written, looked at, sent to oneself, copied, deleted."""

from quart import Quart

from tests.api.templates.test_kinds import LETTER
from tests.factories import make_account, make_campaign, make_contact, make_segment, make_template, make_version
from tests.pages.conftest import Page, Visitor, content_of, make_person, visitor_for
from webapp.config import settings
from webapp.domain.accounts.accounts import sandbox_account
from webapp.domain.inputs import read_input
from webapp.domain.roles import Role
from webapp.domain.templates.brand import BrandChanges, change_brand
from webapp.domain.templates.inputs import NewTemplate
from webapp.domain.templates.templates import add_template
from webapp.models import Campaign, Content, MailLog, Organization, Template, TemplateVersion
from webapp.models.mail_log import MailStatus

EDITOR = "/templates"
BODY = '<p>Hello {{ first_name | default: "there" }}, your branch is {{ branch }}.</p>'


def tags_of(page: Page) -> dict[str, str]:
    """The tags of a preview with what stands behind each; in capitals what stands in red."""
    found = {}
    for tag in page.soup.select(".preview-notes .tag"):
        name, _, value = " ".join(tag.get_text(" ").split()).partition(" ")
        found[name] = value.upper() if "missing" in tag["class"] else value
    return found


async def write(visitor: Visitor, **fields: str) -> Page:
    """Fill in the form of a new template and save it."""
    page = await visitor.get("/templates/new")
    return await visitor.submit(page, EDITOR, **{"name": "News", "body": BODY, **fields})


async def look(visitor: Visitor, at: str = "/templates/preview", **fields: str) -> Page:
    """Ask for a preview as the open editor does."""
    token = (await visitor.get("/templates/new")).token
    return await visitor.post(at, form={"csrf_token": token, "subject": "Hi", "body": BODY, **fields})


async def test_a_template_is_written_and_changed(owner: Visitor, acme: Organization) -> None:
    page = await write(owner, subject="For {{ first_name }}", body="<p>\r\n{{ first_name }}</p>")
    assert page.notes == ["“News” saved."]
    made = await Template.of(acme).get()
    assert (made.name, made.subject, made.body) == ("News", "For {{ first_name }}", "<p>\n{{ first_name }}</p>")
    assert made.variables == ["first_name"]
    page = await owner.submit(page, f"/templates/{made.id}", name="Old news", subject="", body="Just text")
    assert (page.title, page.notes) == ("Old news", ["“Old news” saved."])
    made = await Template.of(acme).get()
    assert (made.name, made.subject, made.body, made.variables) == ("Old news", "", "Just text", [])


async def test_faults_stand_at_their_fields_with_line_and_column_and_nothing_typed_is_lost(
    owner: Visitor, acme: Organization
) -> None:
    page = await write(owner, subject="{{ a", body="one\ntwo {{ x | nonsense }}")
    assert page.error_at("subject") == "The subject has an error at line 1, column 1: unclosed tag; add }}."
    assert page.error_at("body") == "The body has an error at line 2, column 12: unknown filter 'nonsense'."
    assert page.soup.select_one("#f-body").text.strip() == "one\ntwo {{ x | nonsense }}"
    assert page.soup.select_one("#f-subject")["value"] == "{{ a"
    assert await Template.of(acme).count() == 0


async def test_the_preview_fills_in_a_contact_or_somebody_invented(owner: Visitor, acme: Organization) -> None:
    await make_contact(acme, "Grace@navy.example", first_name="Grace", custom_fields={"branch": "Arlington"})
    subject = "For {{ first_name }}"
    assert tags_of(await look(owner, subject=subject)) == {"first_name": "Ada", "branch": "NO VALUE"}
    grace = await look(owner, subject=subject, sample="grace@NAVY.example")
    assert tags_of(grace) == {"first_name": "Grace", "branch": "Arlington"}
    assert "For Grace" in grace.text
    other_case = await look(owner, subject="{{ Branch }}", body="Hi {{ FIRST_NAME }}", sample="grace@navy.example")
    assert tags_of(other_case) == {"Branch": "Arlington", "FIRST_NAME": "Grace"}
    mail = await look(owner, "/templates/preview/mail", sample="grace@navy.example")
    assert mail.text == "Hello Grace, your branch is Arlington."
    assert "branch is [branch]." in (await look(owner, "/templates/preview/mail")).text


async def test_the_preview_shows_no_tags_that_pennypost_fills_in(owner: Visitor) -> None:
    body = "{{ first_name }} {{ branch }} {{ unsubscribe_url }} {{ preferences_url }} {{ BROWSER_URL }}"
    page = await look(owner, body=body)
    assert tags_of(page) == {"first_name": "Ada", "branch": "NO VALUE"}


async def test_a_fault_is_told_while_it_is_typed(owner: Visitor) -> None:
    page = await look(owner, body="{{ x")
    assert page.status == 200
    assert page.soup.select_one("#fault-body")["hx-swap-oob"] == "true"
    assert page.error_at("body") == "The body has an error at line 1, column 1: unclosed tag; add }}."
    assert "line 1, column 1" in (await look(owner, "/templates/preview/mail", body="{{ x")).text
    page = await look(owner, sample="nobody@example.org")
    assert page.error_at("sample") == "No contact has this email address."


async def test_a_strangers_contact_is_no_sample(owner: Visitor, rival: Organization) -> None:
    await make_contact(rival, "rita@rival.example", first_name="Rita")
    page = await look(owner, sample="rita@rival.example")
    assert page.error_at("sample") == "No contact has this email address."
    assert "rita" not in str((await owner.get("/templates/new")).soup)


async def test_the_frame_shows_html_or_text_and_loads_nothing_unasked(owner: Visitor, acme: Organization) -> None:
    template = await make_template(acme, body='<p>Hi <a href="https://example.org">there</a></p>')
    place = f"/templates/{template.id}/rendered"
    page = await owner.get(place)
    assert page.soup.select_one("a")
    policy = page.response.headers["Content-Security-Policy"]
    pictures = f"img-src data: {settings().base_url}/m/"
    assert policy.startswith(f"sandbox; default-src 'none'; {pictures};")
    assert page.response.headers["X-Frame-Options"] == "SAMEORIGIN"
    text = await owner.get(f"{place}?view=text")
    assert (text.text, text.soup.select_one("a")) == ("Text Hi there <https://example.org>", None)
    policy = (await owner.get(f"{place}?images=1")).response.headers["Content-Security-Policy"]
    assert policy.startswith(f"sandbox; default-src 'none'; {pictures} https:;")
    assert "script" not in policy


async def test_a_test_is_saved_counted_and_sent_to_oneself(owner: Visitor, acme: Organization) -> None:
    page = await write(owner, then="test", subject="For {{ first_name }}")
    assert page.notes == [
        "“News” saved, but no test was sent. There is no active account with a From address. The sandbox only sends while you have no other."
    ]
    await make_account(acme)
    template = await Template.of(acme).get()
    for number in range(21):
        page = await owner.submit(page, f"/templates/{template.id}", then="test", name=f"News {number}")
    assert "Limit of 20 test emails per hour reached" in page.notes[0]
    assert page.title == "News 20"
    sent = await MailLog.of(acme).all()
    assert len(sent) == 20
    assert {(row.to_email, row.status) for row in sent} == {("ada@acme.example", MailStatus.PENDING)}
    shown = await owner.get(f"/mail-logs/{sent[0].id}")
    assert shown.title == "[Test] For Ada"


async def test_a_test_that_the_sandbox_takes_links_to_the_test_inbox(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    await make_account(rival)
    await sandbox_account(acme)
    page = await write(owner, then="test", subject="N" * 998)
    assert page.notes == ["“News” saved. Test sent to the sandbox only; nobody receives it. Open the test inbox"]
    assert page.soup.select_one("#notes a")["href"] == "/sandbox"
    form = content_of(page.soup.select_one("#editor"))
    for then, links in (("test", ["/sandbox"]), ("", [])):
        saved = await owner.post(page.path, form=form | {"then": then}, headers={"HX-Request": "true"})
        assert [link["href"] for link in saved.soup.select("#tested[hx-swap-oob] a")] == links
        form |= content_of(saved.soup.select_one("#template-facts"))
    assert {row.org_id for row in await MailLog.all()} == {acme.id}
    assert {content.subject for content in await Content.all()} == {"[Test] " + "N" * 991}


async def test_a_copy_is_another_one(owner: Visitor, acme: Organization) -> None:
    template = await make_template(acme, name="N" * 200)
    for copies, title in enumerate(("N" * 193 + " (copy)", "N" * 191 + " (copy 2)"), start=1):
        page = await owner.get(f"/templates/{template.id}")
        page = await owner.submit(page, f"/templates/{template.id}/duplicate")
        assert page.title == title
        assert await Template.of(acme).filter(body=template.body).count() == 1 + copies


async def test_each_visit_to_the_editor_can_make_a_copy_also_after_refused_saves(
    owner: Visitor, acme: Organization
) -> None:
    template = await make_template(acme)
    place = f"/templates/{template.id}"
    page = await owner.get(place)
    for _ in range(2):
        page = await owner.submit(page, place, name="")
        assert page.status == 422
        await owner.submit(page, f"{place}/duplicate")
    assert await Template.of(acme).exclude(id=template.id).count() == 2


async def test_a_deletion_asks_and_names_who_uses_it(owner: Visitor, acme: Organization) -> None:
    template = await make_template(acme)
    for number in range(12):
        await make_campaign(acme, title=f"Campaign {number}", template=template)
    page = await owner.get(f"/templates/{template.id}/delete")
    assert "12 campaigns use this template and will be left without one." in page.text
    assert [item.text for item in page.soup.select("main .bullets li")][0::10] == ["Campaign 11 (draft)", "and 2 more"]
    page = await owner.submit(page)
    assert page.notes == ["Template “Welcome” deleted. Sent emails stay under Deliveries."]
    assert await Template.of(acme).count() == 0
    assert await Campaign.of(acme).filter(template_id=None).count() == 12


async def test_the_editor_names_the_scheduled_campaigns_that_a_change_reaches(
    owner: Visitor, viewer: Visitor, acme: Organization, rival: Organization
) -> None:
    template = await make_template(acme)
    await make_campaign(acme, title="A draft", template=template)
    await make_campaign(rival, title="Theirs", status="scheduled", template_id=template.id)
    assert "scheduled campaign" not in (await owner.get(f"/templates/{template.id}")).text
    for number in range(4):
        await make_campaign(acme, title=f"Weekly {number}", template=template, status="scheduled")
    page = await owner.get(f"/templates/{template.id}")
    assert "Used by 4 scheduled campaigns, whose next emails change when you save: Weekly 3" in page.text
    assert "and 1 more. To write another email" in page.text
    assert "Used by" not in (await viewer.get(f"/templates/{template.id}")).text


async def test_the_list_is_searched_in_names_and_subjects(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    assert "No templates yet" in (await owner.get("/templates")).text
    footer = ["browser_url", "Unsubscribe_URL", "preferences_url"]
    await make_template(acme, name="Welcome", subject="Hello", variables=["first_name", *footer])
    await make_template(acme, name="Reset", subject="100% new password", variables=footer)
    await make_template(rival, name="Welcome of the rival")
    page = await owner.get("/templates")
    assert [row[0] for row in page.rows] == ["Reset 100% new password", "Welcome Hello"]
    assert [row[1] for row in page.rows] == ["None", "first_name"]  # without the links that Pennypost fills in
    assert [row[0][:5] for row in (await owner.get("/templates?q=welCOME")).rows] == ["Welco"]
    assert [row[0][:5] for row in (await owner.get("/templates?q=0%25")).rows] == ["Reset"]
    assert "No results" in (await owner.get("/templates?q=rival")).text


async def test_the_list_shows_thumbnails_of_what_is_saved(
    viewer: Visitor, rival_owner: Visitor, acme: Organization
) -> None:
    blocks = await add_template(acme, read_input(NewTemplate, {"name": "Letter", "blocks": LETTER}, strict=True))
    text = await make_template(acme, kind="text", body="Dear {{ first_name }} <b>", variables=["first_name"])
    page = await viewer.get(EDITOR)
    frames = [str(frame["src"]) for frame in page.soup.select("iframe[sandbox=''][loading=lazy]")]
    assert frames == [f"/templates/{template.id}/thumbnail" for template in (text, blocks)]
    assert "Dear Ada <b>" in (await viewer.get(frames[0])).text
    shown = await viewer.get(frames[1])
    assert shown.soup.select_one("h1").text == "Hello Ada"
    assert shown.response.headers["Content-Security-Policy"].startswith("sandbox; default-src 'none'")
    assert (await rival_owner.get(frames[1])).status == 404


async def test_browsers_get_a_thumbnail_again_only_after_a_change(
    viewer: Visitor, stranger: Visitor, rival_owner: Visitor, acme: Organization
) -> None:
    template = await make_template(acme, body="<p>Hello</p>")
    path = f"/templates/{template.id}/thumbnail"
    first = (await viewer.get(path)).response
    assert first.headers.getlist("Cache-Control") == ["private, no-cache"]
    known = {"If-None-Match": first.headers["ETag"]}
    again = await viewer.get(path, headers=known)
    assert (again.status, again.data) == (304, b"")
    assert again.response.headers["ETag"] == first.headers["ETag"]
    assert again.response.headers["Content-Security-Policy"] == first.headers["Content-Security-Policy"]
    assert (await rival_owner.get(path, headers=known)).status == 404
    assert (await stranger.get(path, headers=known, follow=False)).status == 303
    await Template.of(acme).filter(id=template.id).update(body="<p>Good day</p>")
    changed = await viewer.get(path, headers=known)
    assert (changed.status, changed.text) == (200, "Good day")


async def test_who_only_looks_sees_the_mail_and_no_form(viewer: Visitor, acme: Organization) -> None:
    template = await make_template(acme)
    page = await viewer.get(f"/templates/{template.id}")
    assert "You need the Editor role to change templates." in page.text
    assert not page.soup.select("#editor, main form")
    assert page.soup.select_one("iframe")["src"] == f"/templates/{template.id}/rendered"


async def test_what_email_programs_stumble_over_is_said_beside_the_preview_and_in_the_review(
    owner: Visitor, acme: Organization
) -> None:
    body = '<div style="display:flex"><a href="https://a.example"></a></div><a href="{{ unsubscribe_url }}">Leave</a>'
    template = await make_template(acme, body=body)
    said = ["The link to https://a.example has no words.", "Outlook for Windows ignores display: flex."]
    page = await owner.get(f"/templates/{template.id}")
    findings = [one.get_text() for one in page.soup.select("#preview .findings li")]
    assert [words in text for words, text in zip(said, findings, strict=True)] == [True, True]
    assert not (await owner.get(f"/templates/{(await make_template(acme)).id}")).soup.select(".findings")
    campaign = await make_campaign(acme, template=template, segment=await make_segment(acme, await make_contact(acme)))
    review = await owner.get(f"/campaigns/{campaign.id}/review")
    assert all(words in review.text for words in said)


async def test_a_version_is_looked_at_and_restored(owner: Visitor, acme: Organization) -> None:
    template = await make_template(acme)
    place = f"/templates/{template.id}"
    page = await owner.submit(await owner.get(place), place, subject="Other", body="<p>Other</p>")
    (link,) = (await owner.get(f"{place}/versions")).soup.select("td a")
    page = await owner.get(link["href"])
    assert (await owner.get(f"{link['href']}/rendered")).text == "Hello"
    page = await owner.submit(page, f"{link['href']}/restore")
    assert page.notes == ["Version restored. The content before it is under Versions."]
    assert page.path == place
    now = await Template.of(acme).get()
    assert (now.subject, now.body) == ("Hello", "<p>Hello</p>")
    assert [one.subject for one in await TemplateVersion.of(acme).order_by("id")] == ["Hello", "Other"]


async def test_a_version_of_blocks_is_shown_compiled_and_one_of_text_as_text(
    owner: Visitor, acme: Organization
) -> None:
    template = await make_template(acme)
    blocks = await make_version(template, kind="blocks", source={"blocks": LETTER}, body="")
    text = await make_version(template, kind="text", body="<b>a</b>")
    place = f"/templates/{template.id}/versions"
    assert (await owner.get(f"{place}/{blocks.id}/rendered")).soup.select_one("h1").text == "Hello Ada"
    assert "<b>a</b>" in (await owner.get(f"{place}/{text.id}/rendered")).text


async def test_a_version_that_todays_rules_refuse_says_why(owner: Visitor, acme: Organization) -> None:
    template = await make_template(acme)
    version = await make_version(template, body="{{ a")
    place = f"/templates/{template.id}/versions/{version.id}"
    assert "unclosed tag" in (await owner.get(f"{place}/rendered")).text
    page = await owner.submit(await owner.get(place), f"{place}/restore")
    assert "unclosed tag" in page.notes[0]
    assert (await Template.of(acme).get()).body == "<p>Hello</p>"


async def test_the_merge_tags_of_ones_own_custom_fields_are_listed(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    await make_contact(acme, "ada@example.org", custom_fields={"city": "Berlin", "signed up at": "Monday"})
    await make_contact(rival, "bo@example.org", custom_fields={"theirs": "secret"})
    template, segment = await make_template(acme), await make_segment(acme)
    campaign = await make_campaign(acme, segment=segment, template=template)
    for path in ("/templates/new", f"/templates/{template.id}", f"/campaigns/{campaign.id}/content"):
        page = await owner.get(path)
        tags = [code.text for code in page.soup.select("dt code")]
        assert {"{{ first_name }}", "{{ city }}"} < set(tags)
        has_body = path.startswith("/templates")  # a campaign's form has a subject and a preview text
        for link in ("{{ unsubscribe_url }}", "{{ preferences_url }}"):
            assert (link in tags) == has_body
        assert "signed up at" not in str(tags)
        assert "theirs" not in page.text


async def test_a_save_over_ones_own_in_another_window_says_so(owner: Visitor, acme: Organization) -> None:
    template = await make_template(acme, name="News", subject="Old")
    path = f"/templates/{template.id}"
    first, second = [content_of((await owner.get(path)).soup.select_one("#editor")) for _ in range(2)]
    await owner.post(path, form=first | {"subject": "First"})
    page = await owner.post(path, form=second | {"subject": "Second"})
    alert = page.soup.find(role="alert").get_text(" ", strip=True)
    assert alert.startswith("You saved this template in another window")
    assert "ada@acme.example" not in alert


async def test_a_save_over_another_persons_is_refused_and_loses_nothing(
    app: Quart, owner: Visitor, acme: Organization
) -> None:
    editor = await visitor_for(app, acme, await make_person(acme, "eve@acme.example", Role.EDITOR))
    template = await make_template(acme, name="News", subject="Old")
    path = f"/templates/{template.id}"
    mine, theirs = [content_of((await visitor.get(path)).soup.select_one("#editor")) for visitor in (owner, editor)]
    await editor.post(path, form=theirs | {"subject": "Theirs"})
    page = await owner.post(path, form=mine | {"subject": "Mine", "body": "<p>Typed</p>"})
    alert = page.soup.find(role="alert").get_text(" ", strip=True)
    assert page.status == 422
    assert (await Template.get(id=template.id)).saved_by in alert
    assert "“Theirs”" in alert
    await template.refresh_from_db()
    assert template.subject == "Theirs"
    assert page.soup.find("a", string="Discard mine, open the saved one")["href"] == path
    await owner.post(path, form=content_of(page.soup.select_one("#editor")))
    await template.refresh_from_db()
    assert (template.subject, template.body) == ("Mine", "<p>Typed</p>")
    assert [version.subject for version in await template.versions.order_by("-id")] == ["Theirs", "Old"]


async def test_a_changed_brand_makes_no_template_outdated(owner: Visitor, acme: Organization) -> None:
    letter = await add_template(acme, read_input(NewTemplate, {"name": "Letter", "blocks": LETTER}, strict=True))
    form = content_of((await owner.get(f"/templates/{letter.id}")).soup.select_one("#editor"))
    await change_brand(acme, read_input(BrandChanges, {"button": "#0f766e"}, strict=True))
    assert (await owner.post(f"/templates/{letter.id}", form=form)).status == 200


async def test_campaign_content_that_another_person_saved_is_not_replaced_unasked(
    app: Quart, owner: Visitor, acme: Organization
) -> None:
    editor = await visitor_for(app, acme, await make_person(acme, "eve@acme.example", Role.EDITOR))
    template = await make_template(acme, name="News")
    campaign = await make_campaign(acme, segment=await make_segment(acme), template=template)
    path = f"/campaigns/{campaign.id}/content"
    forms = [content_of((await visitor.get(path)).soup.select("form[method=post]")[-1]) for visitor in (owner, editor)]
    await editor.post(path, form=forms[1] | {"subject": "Theirs"})
    page = await owner.post(path, form=forms[0] | {"preview_text": "Mine"})
    assert [row.get_text("|", strip=True) for row in page.soup.select(".outdated tbody tr")] == [
        "Subject|Theirs|Empty",
        "Preview text|Empty|Mine",
    ]
    await campaign.refresh_from_db()
    assert (campaign.subject, campaign.preview_text) == ("Theirs", None)
    await owner.post(path, form=content_of(page.soup.select("form[method=post]")[-1]))
    await campaign.refresh_from_db()
    assert (campaign.subject, campaign.preview_text) == (None, "Mine")


async def test_an_alias_is_set_and_removed(owner: Visitor, acme: Organization) -> None:
    template = await make_template(acme)
    path = f"/templates/{template.id}"
    for alias, stored in (("welcome", "welcome"), ("", None)):
        page = await owner.get(path)
        await owner.submit(page, path, alias=alias)
        await template.refresh_from_db()
        assert template.alias == stored
    page = await owner.submit(await owner.get(path), path, alias="No!")
    assert "The alias must be 1 to 63 of a-z" in page.text


async def test_a_save_by_htmx_replaces_what_it_changed_alone(
    app: Quart, owner: Visitor, rival_owner: Visitor, acme: Organization
) -> None:
    path, htmx = "/templates", {"HX-Request": "true"}
    form = content_of((await owner.get("/templates/new")).soup.select_one("#editor")) | {"name": "News", "body": BODY}
    for subject in ("First", "Second", "First"):
        page = await owner.post(path, form=form | {"subject": subject}, headers=htmx)
        template = await Template.of(acme).get()
        path = f"/templates/{template.id}"
        assert (page.status, page.notes, template.subject) == (200, ["“News” saved."], subject)
        assert page.response.headers["HX-Replace-Url"] == path
        assert page.soup.find("h1").string == page.soup.find("title").string.removesuffix(" · Pennypost") == "News"
        assert not page.soup.find(["textarea", "iframe"])
        facts = page.soup.select_one("#template-facts")
        assert facts["hx-swap-oob"] == "true"
        form |= content_of(facts)
    editor = await visitor_for(app, acme, await make_person(acme, "eve@acme.example", Role.EDITOR))
    theirs = content_of((await editor.get(path)).soup.select_one("#editor"))
    await editor.post(path, form=theirs | {"subject": "Theirs"}, headers=htmx)
    page = await owner.post(path, form=form | {"subject": "Mine"}, headers=htmx)
    assert (page.status, (await Template.of(acme).get()).subject) == (422, "Theirs")
    assert "saved this template" in page.soup.select_one("#editor [role=alert]").text
    token = (await rival_owner.get("/templates/new")).token
    page = await rival_owner.post(path, form=form | {"csrf_token": token}, headers=htmx)
    assert (page.status, await Template.all().count()) == (404, 1)
