"""Where the page of a confirmed sign-up leads."""

from tests.factories import make_form
from tests.pages.conftest import Visitor
from tests.pages.forms.conftest import ADA, Inbox, ask
from webapp.models import Account, Contact, Organization, SignUpForm


async def test_the_page_of_a_confirmed_sign_up_leads_to_the_preferences(
    stranger: Visitor, acme: Organization, form: SignUpForm, inbox: Inbox
) -> None:
    await ask(stranger, form)
    link = await inbox.link()
    assert not (await stranger.get(link)).soup.select("main a")
    (preferences,) = (await stranger.post(f"{link}?l=de")).soup.select("main a")
    assert str(preferences["href"]).endswith("/preferences?l=de")
    page = await stranger.get(str(preferences["href"]))
    assert (page.status, page.title) == (200, "Ihre Einstellungen")
    assert ADA in page.text
    assert not (await stranger.get(link)).soup.select("main a")  # a scanner may have opened it
    await Contact.of(acme).update(email="bob@example.org", email_key="bob@example.org")
    page = await stranger.post(link)
    assert (page.title, page.soup.select("main a")) == ("You're in", [])


async def test_the_link_of_a_confirmed_sign_up_leads_where_its_form_does(
    stranger: Visitor, acme: Organization, account: Account, inbox: Inbox
) -> None:
    await ask(stranger, await make_form(acme, redirect_after_confirm="https://acme.example/in"))
    link = await inbox.link()
    assert (await stranger.get(link)).title == "Confirm your sign-up"
    for act in (stranger.post, stranger.get):
        page = await act(link, follow=False)
        assert (page.status, page.response.headers["Location"]) == (303, "https://acme.example/in")
