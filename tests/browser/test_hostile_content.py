"""Scripts in mail, in a real browser: on the lists, in the mail's own frame, and where the frame's document is opened alone (S40)."""

import re

import httpx2
import pytest
from playwright.sync_api import ConsoleMessage, Page, Response, expect

from tests.browser.conftest import Service
from tests.browser.test_dashboard import issue_key
from tests.support.payloads import RUN, SCRIPTS, WORD


def test_no_script_of_a_mail_runs_anywhere(ada: Page, claimed: Service) -> None:
    headers = {"Authorization": f"Bearer {issue_key(ada, 'Hostile')}"}
    account_key = re.findall(r"acc_\w+", ada.locator("#curl-sample").inner_text())[0]
    mail = {"account_key": account_key, "from": "a@acme.example", "to": "b@acme.example"}
    mails = [mail | {"subject": " ".join(one.split()), "html": one} for one in SCRIPTS]
    answer = httpx2.post(f"{claimed.base_url}/v1/emails/batch", json=mails, headers=headers)
    assert answer.status_code == 200, answer.text
    ids = [row["id"] for row in answer.json()["data"]]
    assert len(ids) >= 60
    said: list[str] = []
    hostile = ada.context.new_page()  # its console may complain: policies refuse what the mails try
    listen(hostile, said)
    for path in ("/mail-logs", "/emails", "/sandbox", "/home"):
        hostile.goto(path)
    for row_id in ids:
        hostile.goto(f"/mail-logs/{row_id}/rendered")
        assert "/rendered" in hostile.url  # a mail leads nowhere by itself
    for row_id in ids[::10]:
        hostile.goto(f"/mail-logs/{row_id}")
        expect(hostile.locator("iframe.mail-frame")).to_have_attribute("sandbox", "")
    assert said == ["listening"]


@pytest.mark.parametrize("first", range(3))
def test_no_script_of_a_block_runs_in_the_preview(ada: Page, first: int) -> None:
    """The preview of blocks is of our origin, so that the editor can reach it."""
    said: list[str] = []
    hostile = ada.context.new_page()
    listen(hostile, said)
    hostile.goto("/templates/new?kind=blocks")
    hostile.get_by_role("button", name="Delete Footer 4").click()
    hostile.get_by_role("button", name="HTML", exact=True).click()
    code = hostile.locator("[name='blocks[3].html']")
    frame = hostile.locator("iframe[name=preview]")
    expect(frame).to_have_attribute("sandbox", "allow-same-origin")
    policies, refused = list[str](), 0

    def note_policy(answer: Response) -> None:
        if answer.url.endswith("/templates/preview/mail"):
            policies.append(answer.headers["content-security-policy"])

    hostile.on("response", note_policy)
    parts = SCRIPTS[first::9]
    for number, part in enumerate(parts):
        with hostile.expect_response("**/templates/preview") as answer:
            code.fill(f"<p>at {number}</p>{part}")
        if 'class="note bad' in answer.value.text():
            refused += 1
        else:
            expect(frame.content_frame.get_by_text(f"at {number}", exact=True)).to_be_visible()
    assert refused < len(parts) / 2
    assert len(policies) >= len(parts) - refused
    for policy in policies:
        assert policy.startswith("sandbox allow-same-origin; default-src 'none';")
        assert policy.endswith(
            " style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
        )
    assert said == ["listening"]
    code.fill(f'<p><a target="_top" href="javascript:{RUN}">Out</a> <a target="_top" href="/home">Home</a></p>')
    for name in ("Out", "Home"):
        frame.content_frame.get_by_role("link", name=name).click()
        expect(code).to_be_focused()
    assert said == ["listening"]
    hostile.close(run_before_unload=False)


def listen(page: Page, said: list[str]) -> None:
    """Note what scripts say on the page from now on, "listening" first."""

    def note(message: ConsoleMessage) -> None:
        if message.type == "log" or message.text == WORD:
            said.append(message.text)

    page.on("console", note)
    page.on("dialog", lambda dialog: said.append(dialog.message))
    page.evaluate("console.log('listening')")
