"""What is wrong with a From domain's DNS records is found, with the record that mends it; DNS trouble proves nothing."""

import time
from typing import Any

import pytest

from tests.api.conftest import Api
from tests.domain.from_checks.conftest import DOMAIN, GOOGLES, POLICY, check
from tests.factories import make_account
from tests.fakes.name_server import NameServer
from webapp.domain.from_checks.checking import check_due
from webapp.models import Account, FromCheck, Organization
from webapp.models.base.org_model import AT_ONCE

GMAIL = {"smtp_host": "smtp.gmail.com", "smtp_port": 587, "from_email": f"hello@{DOMAIN}"}
OWN_SERVER = GMAIL | {"smtp_host": "mail.northwind.example"}
SES = GMAIL | {"smtp_host": "email-smtp.eu-west-1.amazonaws.com"}
DMARC = f"_dmarc.{DOMAIN}"


def codes(found: dict[str, Any]) -> list[str]:
    return [one["code"] for one in found["findings"]]


async def test_a_domain_without_faults_passes(api: Api, acme: Organization) -> None:
    account = await make_account(acme, **GMAIL)
    found = await check(api, account.id)
    assert (found["domain"], found["verdict"], found["findings"]) == (DOMAIN, "passing", [])
    await make_account(acme, from_email="hello@nowhere.example")
    await check_due()
    _, listed = await api.get("/v1/accounts")
    assert [row["from_check_verdict"] for row in listed["data"]] == ["failing", "passing"]
    assert (await api.get(f"/v1/accounts/{account.id}"))[1]["data"]["from_check_verdict"] == "passing"
    assert found["checked_at"] is not None
    assert (await api.get(f"/v1/accounts/{account.id}/from-check"))[1]["data"] == found


@pytest.mark.parametrize("fields", [OWN_SERVER, SES], ids=["own server", "SES"])
async def test_without_a_probe_nothing_proves_that_an_unknown_server_may_send(
    api: Api, acme: Organization, fields: dict[str, Any]
) -> None:
    found = await check(api, (await make_account(acme, **fields)).id)
    assert (found["verdict"], found["findings"]) == ("unknown", [])


@pytest.mark.parametrize(
    ("texts", "code", "value"),
    [
        ([], "spf_missing", GOOGLES),
        (["v=spf10 -all"], "spf_missing", GOOGLES),
        (["v=spf1 a -all", "v=spf1 mx ?all"], "spf_several", "v=spf1 a mx ~all"),
        (["v=spf1 include:_spf.google.com +all"], "spf_allows_all", GOOGLES),
        (["v=spf1 a mx -all"], "spf_lacks_provider", "v=spf1 a mx include:_spf.google.com -all"),
        (["v=spf1 ip4:192.0.2.1"], "spf_lacks_provider", "v=spf1 ip4:192.0.2.1 include:_spf.google.com"),
        (["v=spf1 include:_spf.google.com include:nothing.example -all"], "spf_broken", None),
        (["v=spf1 include:_spf.google.com include:a..example -all"], "spf_broken", None),
        ([f"v=spf1 include:_spf.google.com include:{'a' * 64}.example -all"], "spf_broken", None),
        (["v=spf1 include:_spf.google.com include:. -all"], "spf_broken", None),
        (["v=spf1 include:northwind.example -all"], "spf_too_long", None),
        ([f"v=spf1 {'exists:%{i}.a.example ' * 8}a mx ptr include:_spf.google.com -all"], "spf_too_long", None),
    ],
)
async def test_faults_of_spf_are_found_with_the_record_that_mends_them(
    api: Api, acme: Organization, names: NameServer, texts: list[str], code: str, value: str | None
) -> None:
    names.text(DOMAIN, *texts)
    found = await check(api, (await make_account(acme, **GMAIL)).id)
    assert codes(found) == [code]
    record = None if value is None else {"type": "TXT", "name": DOMAIN, "value": value}
    assert found["findings"][0]["record"] == record
    assert found["verdict"] == ("passing" if code == "spf_allows_all" else "failing")


@pytest.mark.parametrize(
    "records",
    [
        {DOMAIN: "v=spf1 include:spf.northwind.example -all", "spf.northwind.example": GOOGLES},
        {DOMAIN: "v=spf1 redirect=_spf.google.com"},
        {DOMAIN: "V=SPF1 Include:_SPF.Google.com. ~all"},
        {DOMAIN: f"v=spf1 {'ip4:198.51.100.1 ' * 60}include:_spf.google.com ~all"},
    ],
    ids=["nested", "redirected", "odd case", "in several strings, by TCP"],
)
async def test_a_provider_is_found_however_it_is_included(
    api: Api, acme: Organization, names: NameServer, records: dict[str, str]
) -> None:
    for name, text in records.items():
        names.text(name, text)
    found = await check(api, (await make_account(acme, **GMAIL)).id)
    assert (found["verdict"], found["findings"]) == ("passing", [])


@pytest.mark.parametrize(
    ("texts", "code", "sentence"),
    [
        ([], "dmarc_missing", f"Gmail and Yahoo refuse bulk mail from {DOMAIN}: there is no DMARC record."),
        ([POLICY, "v=DMARC1; p=reject"], "dmarc_several", f"{DMARC} has 2 DMARC records, which count as none."),
        (["v=DMARC1; p=nothing"], "dmarc_invalid", "has no valid policy (p=)"),
        (["v=DMARC1; rua=mailto:a@northwind.example"], "dmarc_invalid", "has no valid policy (p=)"),
    ],
)
async def test_faults_of_dmarc_are_found_with_the_record_that_mends_them(
    api: Api, acme: Organization, names: NameServer, texts: list[str], code: str, sentence: str
) -> None:
    names.text(DMARC, *texts)
    found = await check(api, (await make_account(acme, **GMAIL)).id)
    assert (codes(found), found["verdict"]) == ([code], "failing")
    assert sentence in found["findings"][0]["sentence"]
    record = None if code == "dmarc_several" else {"type": "TXT", "name": DMARC, "value": POLICY}
    assert found["findings"][0]["record"] == record


@pytest.mark.parametrize(
    ("parent", "expected"),
    [("v=DMARC1; p=reject", []), ("v=DMARC1; p=reject; sp=odd", ["dmarc_invalid"]), ("", ["dmarc_missing"])],
)
async def test_a_subdomain_has_the_policy_of_its_parent(
    api: Api, acme: Organization, names: NameServer, parent: str, expected: list[str]
) -> None:
    names.text(DMARC, parent)
    names.add("news.northwind.example", "MX", "10 mx.northwind.example.")
    names.text("news.northwind.example", GOOGLES)
    account = await make_account(acme, **GMAIL | {"from_email": "hello@news.northwind.example"})
    assert codes(await check(api, account.id)) == expected


@pytest.mark.parametrize(
    ("mx", "address", "expected"),
    [
        ("0 .", None, ["mx_null"]),
        (None, None, ["mx_missing"]),
        (None, "192.0.2.1", []),
    ],
)
async def test_a_domain_that_takes_no_mail_is_named(
    api: Api, acme: Organization, names: NameServer, mx: str | None, address: str | None, expected: list[str]
) -> None:
    del names.records[DOMAIN, "MX"]
    if mx:
        names.add(DOMAIN, "MX", mx)
    if address:
        names.add(DOMAIN, "A", address)
    assert codes(await check(api, (await make_account(acme, **GMAIL)).id)) == expected


async def test_a_domain_that_does_not_exist_fails(api: Api, acme: Organization) -> None:
    account = await make_account(acme, **GMAIL | {"from_email": "hello@nowhere.example"})
    found = await check(api, account.id)
    assert (codes(found), found["verdict"]) == (["domain_missing"], "failing")


@pytest.mark.parametrize(
    ("host", "expected"), [("smtp.mail.yahoo.com", "passing"), ("mail.northwind.example", "failing")]
)
async def test_a_mailbox_providers_domain_passes_through_its_own_servers_only(
    api: Api, acme: Organization, names: NameServer, host: str, expected: str
) -> None:
    names.add("yahoo.com", "MX", "1 mta5.am0.yahoodns.net.")
    names.text("_dmarc.yahoo.com", "v=DMARC1; p=reject; pct=100")
    found = await check(api, (await make_account(acme, **GMAIL | {"smtp_host": host, "from_email": "a@yahoo.com"})).id)
    assert found["verdict"] == expected
    assert codes(found) == ([] if expected == "passing" else ["mailbox_of_another_provider"])
    assert expected == "passing" or "Yahoo has other servers refuse it" in found["findings"][0]["sentence"]


@pytest.mark.parametrize("name", [DOMAIN, DMARC, "_spf.google.com"])
@pytest.mark.parametrize("answer", [b"SERVFAIL", b"", b"\0" * 600, None])
async def test_dns_trouble_is_unknown_and_never_failing(
    api: Api, acme: Organization, names: NameServer, name: str, answer: bytes | None
) -> None:
    account = await make_account(acme, **GMAIL)
    if answer is None:
        names.hang(name)
    else:
        names.fail(name, answer)
    began = time.monotonic()
    found = await check(api, account.id)
    assert (codes(found), found["verdict"]) == (["dns_failed"], "unknown")
    assert time.monotonic() - began < 9
    names.heal()
    await FromCheck.all().update(next_at=AT_ONCE)
    await check_due()
    assert (await api.get(f"/v1/accounts/{account.id}/from-check"))[1]["data"]["verdict"] == "passing"


async def test_a_record_with_nul_stops_no_other_check(
    acme: Organization, rival: Organization, names: NameServer
) -> None:
    names.add("hostile.example", "TXT", '"v=spf1 \\000 -all"')
    names.add("_dmarc.hostile.example", "TXT", '"v=DMARC1; p=none; rua=\\000"')
    hostile = await make_account(rival, **GMAIL | {"from_email": "a@hostile.example"})
    account = await make_account(acme, **GMAIL)
    await check_due()
    checks = {check.account_id: check for check in await FromCheck.all()}
    assert checks[account.id].verdict == "passing"
    assert (checks[hostile.id].verdict, checks[hostile.id].findings[0]["code"]) == ("failing", "spf_lacks_provider")
    assert checks[hostile.id].records["SPF"] == ["v=spf1 \N{REPLACEMENT CHARACTER} -all"]


async def test_huge_answers_are_bounded(api: Api, acme: Organization, names: NameServer) -> None:
    names.text(DOMAIN, *[f"v=spf1 include:a{number}.example {'x' * 3_000}" for number in range(18)])
    found = await check(api, (await make_account(acme, **GMAIL)).id)
    assert codes(found)[0] == "spf_several"
    names.text(DOMAIN, *["v=spf1 " + " ".join(f"include:a{number}.example" for number in range(200))])
    names.asked.clear()
    found = await check(api, (await make_account(acme, **GMAIL)).id)
    assert codes(found) == ["spf_too_long"]
    assert len(names.asked) < 40


async def test_checks_are_due_daily_after_changes_and_for_accounts_without_one(
    api: Api, acme: Organization, names: NameServer
) -> None:
    account = await make_account(acme, **GMAIL)
    await make_account(acme, from_email=None)
    await check_due()
    row = await FromCheck.get()
    assert (row.account_id, row.verdict) == (account.id, "passing")
    names.asked.clear()
    await check_due()
    assert names.asked == []  # not yet
    await api.patch(f"/v1/accounts/{account.id}", {"from_email": "hello@nowhere.example"})
    found = (await api.get(f"/v1/accounts/{account.id}/from-check"))[1]["data"]
    assert (found["domain"], found["verdict"], found["checked_at"]) == ("nowhere.example", "unknown", None)
    await check_due()
    assert (await api.get(f"/v1/accounts/{account.id}/from-check"))[1]["data"]["verdict"] == "failing"
    await Account.filter(id=account.id).update(from_email="hello@other.example")
    assert (await api.get(f"/v1/accounts/{account.id}"))[1]["data"]["from_check_verdict"] == "unknown"
    await api.delete(f"/v1/accounts/{account.id}")
    assert await FromCheck.all().count() == 0


async def test_a_stranger_sees_and_checks_nothing(
    api: Api, rival_api: Api, acme: Organization, names: NameServer
) -> None:
    account = await make_account(acme, **GMAIL)
    await check(api, account.id)
    names.asked.clear()
    path = f"/v1/accounts/{account.id}/from-check"
    assert (await rival_api.get(path))[0] == 404
    assert (await rival_api.post(path, {"send_probe": False}))[0] == 404
    assert names.asked == []


async def test_without_a_from_address_there_is_nothing_to_check(api: Api, acme: Organization) -> None:
    account = await make_account(acme, from_email=None)
    path = f"/v1/accounts/{account.id}/from-check"
    found = (await api.get(path))[1]["data"]
    assert (found["domain"], codes(found)) == (None, ["nothing_to_check"])
    assert (await api.post(path, {}))[0] == 409
