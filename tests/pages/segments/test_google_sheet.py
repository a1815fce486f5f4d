"""Segments that follow a Google Sheet: chosen on the page, read by a worker, and every way in which that goes wrong."""

from datetime import timedelta
from typing import Any

import pytest

from tests.factories import make_account, make_contact, make_segment
from tests.fakes.google_server import SEND_SCOPE, GoogleServer
from tests.fakes.google_sheets import SHEETS_SCOPE, FakeSheet
from tests.pages.accounts.test_google import USER, link_of, path_of
from tests.pages.conftest import Page, Visitor
from tests.pages.contacts.test_imports import check, confirm, undo, upload
from tests.pages.segments.test_segments import members_of
from webapp import clock
from webapp.domain.accounts.credentials import seal_secret
from webapp.domain.segments import google_sheet_sync
from webapp.models import Account, AuditEntry, Contact, Organization, Segment, SegmentSheet

BOTH = f"{SEND_SCOPE} {SHEETS_SCOPE}"
HEADER = ("E-Mail", "Vorname", "Company")


async def connected(org: Organization, google: GoogleServer, scope: str = BOTH) -> Account:
    """A Google account whose person has allowed this much."""
    account = await make_account(org, name="Ada", provider_type="google", google_email=USER, smtp_host=None)
    access, refresh = google.sign_in(USER, scope)
    tokens = {"google_access_token": access, "google_refresh_token": refresh}
    sealed = {column: seal_secret(account, column, plain) for column, plain in tokens.items()}
    await Account.filter(id=account.id).update(**sealed)
    return await Account.get(id=account.id)


@pytest.fixture
async def account(acme: Organization, google: GoogleServer) -> Account:
    return await connected(acme, google)


@pytest.fixture
async def segment(acme: Organization) -> Segment:
    return await make_segment(acme)


@pytest.fixture
def sheet(google: GoogleServer) -> FakeSheet:
    rows = [[*HEADER], ["ann@example.org", "Ann", "Ink\x00 & Co."], [], ["ben@example.org"]]
    return google.sheets.add("Our\x00readers", {"People": rows, "Ada's list": [[*HEADER], ["cem@example.org"]]}, USER)


def place(segment: Segment) -> str:
    return f"/segments/{segment.id}/sheet"


async def follow(visitor: Visitor, segment: Segment, link: str, account: Account, **fields: Any) -> Page:
    form = await visitor.get(place(segment))
    return await visitor.submit(form, place(segment), sheet=link, account_id=str(account.id), **fields)


async def read(segment: Segment, seconds: float = 30) -> SegmentSheet:
    """What a worker does at its next turn, whenever that would be."""
    due = SegmentSheet.filter(segment_id=segment.id, next_sync_at__isnull=False)
    await due.update(next_sync_at=clock.now() - timedelta(seconds=1))
    await google_sheet_sync.read_due(seconds)
    return await SegmentSheet.get(segment_id=segment.id)


async def test_rows_become_members_and_the_page_tells_what_was_found(
    owner: Visitor, acme: Organization, segment: Segment, account: Account, sheet: FakeSheet
) -> None:
    await make_contact(acme, "Ben@example.org", first_name="Ben", status="unsubscribed")
    sheet.tabs["People"].append(["dan@", "Dan"])
    page = await follow(owner, segment, sheet.link, account)
    assert page.notes == ["“Our readers” is now syncing to “Readers”."]
    assert page.soup.select_one("#sheet")["hx-trigger"] == "every 2s"
    followed = await read(segment)
    page = await owner.get(f"/segments/{segment.id}")
    assert "3 rows: 1 new, 0 updated, 1 skipped; 2 added to the segment" in page.text
    assert "Row 5: invalid email " in page.text
    assert "hx-trigger" not in page.soup.select_one("#sheet").attrs
    assert await members_of(segment) == {"ann@example.org", "Ben@example.org"}
    ann = await Contact.of(acme).get(email="ann@example.org")
    assert (ann.first_name, ann.custom_fields) == ("Ann", {"Company": "Ink & Co."})
    assert (await Contact.of(acme).get(first_name="Ben")).status == "unsubscribed"
    assert followed.next_sync_at - followed.synced_at == timedelta(hours=1)


async def test_the_next_look_takes_what_is_new_and_ends_no_membership(
    owner: Visitor, acme: Organization, segment: Segment, account: Account, sheet: FakeSheet
) -> None:
    await follow(owner, segment, sheet.link, account)
    await read(segment)
    sheet.tabs["People"] = [[*HEADER, "Plan"], ["ann@example.org", "", "Ink", "gold"], ["eve@example.org"]]
    followed = await read(segment)
    last = {"rows": 2, "created": 1, "joined": 1, "changed": 1, "refused": 0, "refusals": []}
    assert followed.report == {"last": last, "most": None}
    ann = await Contact.of(acme).get(email="ann@example.org")
    assert (ann.first_name, ann.custom_fields) == ("Ann", {"Company": "Ink", "Plan": "gold"})
    assert len(await members_of(segment)) == 3
    await google_sheet_sync.read_due()  # an hour early
    assert (await SegmentSheet.get()).synced_at == followed.synced_at


async def test_a_sheet_subscribes_nobody_who_left_or_whose_status_is_not_known(
    owner: Visitor, acme: Organization, segment: Segment, account: Account, sheet: FakeSheet
) -> None:
    statuses = {"ann": "active", "ben": "Abgemeldet", "cem": "gold", "dan": "inactive"}
    rows = [[f"{name}@example.org", status, ""] for name, status in statuses.items()]
    late = [[f"p{number}@example.org", "active", "silver"] for number in range(300)]
    sheet.tabs["People"] = [["E-Mail", "Status", "Tier"], *rows, *late, ["eve@example.org", "active", "unsubscribed"]]
    await follow(owner, segment, sheet.link, account)
    await read(segment)
    assert "Row 4: status “gold” isn't recognized" in (await owner.get(f"/segments/{segment.id}")).text
    left = await Contact.of(acme).filter(status="unsubscribed").values_list("email", flat=True)
    assert set(left) == {"ben@example.org", "dan@example.org", "eve@example.org"}
    assert await Contact.of(acme).filter(status="subscribed").count() == 301


async def test_the_tab_is_the_one_that_the_link_or_the_person_names(
    owner: Visitor, segment: Segment, account: Account, sheet: FakeSheet
) -> None:
    await follow(owner, segment, sheet.link.replace("gid=0", "gid=1"), account)
    assert (await SegmentSheet.get()).tab == "Ada's list"
    await read(segment)
    assert await members_of(segment) == {"cem@example.org"}
    refused = await follow(owner, segment, sheet.link, account, tab="No such")
    assert refused.error_at("tab") == "Our readers has no tab named No such; its tabs are People, Ada's list."
    sheet.tabs["Renamed"] = sheet.tabs.pop("Ada's list")
    followed = await read(segment)
    assert (followed.next_sync_at, followed.synced_at is None) == (None, False)
    page = await owner.get(f"/segments/{segment.id}")
    assert "Sync failed: Our readers has no tab named Ada's list; its tabs are People, Renamed." in page.text
    await follow(owner, segment, sheet.id, account, tab="Renamed")
    assert (await read(segment)).last_error is None


async def test_an_account_that_may_not_read_sheets_asks_google_for_it(
    owner: Visitor, acme: Organization, google: GoogleServer, segment: Segment, sheet: FakeSheet
) -> None:
    account = await connected(acme, google, SEND_SCOPE)
    page = await follow(owner, segment, sheet.link, account)
    assert page.status == 422
    ask = str(page.soup.find("a", string="Grant access")["href"])
    link = link_of(await owner.get(ask))
    assert SHEETS_SCOPE.replace(":", "%3A").replace("/", "%2F") in link
    assert "include_granted_scopes=true" in link
    unticked = await owner.get(path_of(google.consent(link, USER, scope=f"openid email {SEND_SCOPE}")))
    assert "grant permission to read sheets" in unticked.notes[0]
    back = await owner.get(path_of(google.consent(link_of(await owner.get(ask)), USER)))
    assert (back.path, back.notes) == (place(segment), ["“Ada” connected."])
    assert (await follow(owner, segment, sheet.link, account)).status == 200
    await read(segment)
    assert await members_of(segment) == {"ann@example.org", "ben@example.org"}


async def test_a_sign_in_that_ended_is_said_and_mended_by_a_new_one(
    owner: Visitor, google: GoogleServer, segment: Segment, account: Account, sheet: FakeSheet
) -> None:
    await follow(owner, segment, sheet.link, account)
    google.expire()
    assert (await read(segment)).last_error is None  # an expired token is renewed
    google.revoke()
    followed = await read(segment)
    assert (followed.next_sync_at, followed.report["trouble"]) == (None, "sign_in")
    page = await owner.get(f"/segments/{segment.id}")
    again = str(page.soup.find("a", string="Reconnect account")["href"])
    await owner.get(path_of(google.consent(link_of(await owner.get(again)), USER)))
    assert (await read(segment)).last_error is None


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("readers", (), "The sheet is not shared with this account."),
        ("is_excel", True, "This isn't a Google Sheet: save the Excel file as one first."),
    ],
)
async def test_a_sheet_that_cannot_be_read_is_refused_in_words(
    owner: Visitor, segment: Segment, account: Account, sheet: FakeSheet, name: str, value: Any, words: str
) -> None:
    setattr(sheet, name, value)
    page = await follow(owner, segment, sheet.link, account)
    assert (page.status, page.error_at("sheet")) == (422, words)
    assert await SegmentSheet.all().count() == 0


async def test_what_passes_is_tried_again_each_time_later(
    owner: Visitor, google: GoogleServer, segment: Segment, account: Account, sheet: FakeSheet
) -> None:
    await follow(owner, segment, sheet.link, account)
    google.fail("sheets", 429, "RESOURCE_EXHAUSTED", times=1)
    google.fail("sheets", 503, times=1)
    google.drop("sheets", times=1)
    waits = []
    for words in (
        "too many requests to Google Sheets",
        "Google Sheets returned 503",
        "127.0.0.1 closed the connection",
    ):
        followed = await read(segment)
        assert followed.last_error == words
        waits.append(round((followed.next_sync_at - clock.now()).total_seconds() / 60))
    assert waits == [5, 10, 20]
    assert "We'll retry automatically." in (await owner.get(f"/segments/{segment.id}")).text
    followed = await read(segment)
    assert (followed.last_error, followed.report["last"]["rows"]) == (None, 2)


async def test_a_sheet_without_a_column_of_addresses_is_refused_in_words(
    owner: Visitor, segment: Segment, account: Account, sheet: FakeSheet
) -> None:
    sheet.tabs["People"] = [["Who", "Vorname"], ["ann at example.org", "Ann"]]
    await follow(owner, segment, sheet.link, account)
    assert (await read(segment)).last_error == "the first row has no Email column"


async def test_a_huge_sheet_is_read_in_parts_and_goes_on_where_it_was_cut_off(
    owner: Visitor, segment: Segment, account: Account, sheet: FakeSheet
) -> None:
    """An answer is bounded at a MiB: rows are asked for in ever smaller parts until they fit."""
    sheet.tabs["People"] = [[*HEADER], *([f"p{number}@example.org", "", "x" * 2_000] for number in range(800))]
    sheet.tabs["People"][700] = ["long@example.org", "", "x" * 1_100_000]
    await follow(owner, segment, sheet.link, account)
    followed, turns = await read(segment, 0.1), 0
    while followed.synced_at is None and turns < 100:
        assert "Syncing" in (await owner.get(f"{place(segment)}/state")).text
        followed, turns = await read(segment, 0.1), turns + 1
    assert turns
    last = followed.report["last"]
    assert (last["rows"], last["refusals"]) == (799, [{"row": 701, "reason": "the row is too long"}])
    assert len(await members_of(segment)) == 799


async def test_the_sheets_of_one_organization_leave_those_of_others_their_turns(
    acme: Organization, rival: Organization
) -> None:
    for org, count in ((acme, 5), (rival, 1)):
        for number in range(count):
            segment = await make_segment(org, name=f"{number}")
            ids = {"org_id": org.id, "segment_id": segment.id, "account_id": org.id}
            due_at = clock.now() - timedelta(hours=2 if org == acme else 1)
            await SegmentSheet.create(**ids, spreadsheet_id="x" * 44, next_sync_at=due_at)
    due = await SegmentSheet.filter(id__in=await SegmentSheet.due(2))
    assert {sheet.org_id for sheet in due} == {acme.id, rival.id}


async def test_two_workers_read_a_sheet_once(
    owner: Visitor, google: GoogleServer, segment: Segment, account: Account, sheet: FakeSheet
) -> None:
    await follow(owner, segment, sheet.link, account)
    followed = await SegmentSheet.get()
    claims = [await SegmentSheet.claim(followed.id, 60) for _ in range(2)]
    assert [claim is None for claim in claims] == [False, True]
    await google_sheet_sync.read_due()
    assert google.sheets.ranges == []
    await SegmentSheet.all().update(lease_until=clock.now() - timedelta(seconds=1))  # whoever had it died
    assert (await read(segment)).synced_at is not None


async def test_who_follows_another_sheet_meanwhile_or_none_is_not_overwritten(
    owner: Visitor, acme: Organization, google: GoogleServer, segment: Segment, account: Account, sheet: FakeSheet
) -> None:
    other = google.sheets.add("Others", {"X": [[*HEADER], ["zoe@example.org"]]}, USER)
    await follow(owner, segment, sheet.link, account)
    old = await SegmentSheet.get()
    await follow(owner, segment, other.link, account)
    assert not await old.save_if_current(last_error="of the old one")
    await read(segment)
    assert await members_of(segment) == {"zoe@example.org"}
    asked = await owner.get(f"{place(segment)}/stop")
    page = await owner.submit(asked, f"{place(segment)}/stop")
    assert page.notes == ["“Readers” no longer syncs with a sheet. Its members are kept."]
    assert (await SegmentSheet.all().count(), await members_of(segment)) == (0, {"zoe@example.org"})
    noted = [(one.action, one.target, one.details.get("sheet")) for one in await AuditEntry.of(acme).order_by("id")]
    assert noted == [
        ("segment.sheet_followed", "Readers", "Our readers"),
        ("segment.sheet_followed", "Readers", ["Our readers", other.title]),
        ("segment.sheet_left", "Readers", other.title),
    ]


async def test_the_plan_says_whether_sheets_are_followed_and_how_many_contacts_there_may_be(
    owner: Visitor, acme: Organization, segment: Segment, account: Account, sheet: FakeSheet
) -> None:
    await follow(owner, segment, sheet.link, account)
    await Organization.filter(id=acme.id).update(plan="free")
    followed = await read(segment)
    assert "does not include Google Sheet sync" in followed.last_error
    assert "needs Scale" in (await owner.get(place(segment))).text
    refused = await owner.send_form(place(segment), sheet=sheet.link, account_id=str(account.id))
    assert (refused.status, await members_of(segment)) == (422, set())


async def test_another_organizations_account_and_segment_are_absent(
    owner: Visitor, rival: Organization, google: GoogleServer, segment: Segment, account: Account, sheet: FakeSheet
) -> None:
    theirs = await connected(rival, google)
    assert str(account.id) in str((await owner.get(place(segment))).soup)
    refused = await owner.send_form(place(segment), sheet=sheet.link, account_id=str(theirs.id))
    assert (refused.status, google.sheets.ranges) == (422, [])
    assert "Google account not found" in refused.text


@pytest.mark.parametrize(
    "link",
    ["", "https://example.org/spreadsheets/d/1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/edit",
     "../../../v4/spreadsheets/aaaaaaaaaaaaaaaaaaaaaa"],
)  # fmt: skip
async def test_what_is_no_link_of_a_sheet_is_refused(
    owner: Visitor, google: GoogleServer, segment: Segment, account: Account, link: str
) -> None:
    page = await follow(owner, segment, link, account)
    assert page.status == 422
    assert page.error_at("sheet")
    assert google.requests["sheets"] == 0


async def test_a_sheet_unsubscribes_later_on_and_subscribes_nobody_again(
    owner: Visitor, acme: Organization, segment: Segment, account: Account, sheet: FakeSheet
) -> None:
    await follow(owner, segment, sheet.link, account)
    for ann, ben in (("subscribed", "cleaned"), ("opted out", "subscribed")):
        sheet.tabs["People"] = [["Email", "Status"], ["ann@example.org", ann], ["ben@example.org", ben]]
        await read(segment)
    assert await members_of(segment) == {"ann@example.org", "ben@example.org"}
    assert await Contact.of(acme).filter(status="unsubscribed").count() == 2


async def test_undoing_an_import_subscribes_nobody_whom_a_sheet_names_as_unsubscribed(
    owner: Visitor, acme: Organization, segment: Segment, account: Account, sheet: FakeSheet
) -> None:
    for name in ("ann", "ben"):
        await make_contact(acme, f"{name}@example.org")
    rows = "Email,Status\nann@example.org,unsubscribed\nben@example.org,unsubscribed\n"
    done = await confirm(owner, await check(owner, await upload(owner, rows)))
    sheet.tabs["People"] = [["Email", "Status"], ["ann@example.org", "unsubscribed"]]
    await follow(owner, segment, sheet.link, account)
    await read(segment)
    await undo(owner, done)
    assert {one.email for one in await Contact.of(acme).filter(status="unsubscribed")} == {"ann@example.org"}


async def test_who_has_left_in_rows_too_long_to_look_ahead_is_found(
    owner: Visitor, acme: Organization, segment: Segment, account: Account, sheet: FakeSheet
) -> None:
    """An answer is bounded at a MiB: only the first four of these rows are looked at before."""
    rows = [[f"p{number}@example.org", "yes", "x" * 20_000] for number in range(100)]
    rows[3][1] = "no"
    sheet.tabs["People"] = [["Email", "GDPR consent", "Note"], *rows]
    await follow(owner, segment, sheet.link, account)
    await read(segment)
    assert [one.email for one in await Contact.of(acme).filter(status="unsubscribed")] == ["p3@example.org"]
