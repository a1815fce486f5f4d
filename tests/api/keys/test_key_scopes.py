"""What an API key with a scope may send as, from which accounts, and from which networks."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from ipaddress import ip_network
from typing import Any

import pytest
from pydantic import ValidationError as InvalidInput
from quart import Quart

from tests.api.conftest import Api, make_api
from tests.api.mails import MAIL, send
from tests.factories import make_account, make_campaign, make_contact, make_segment, make_template
from webapp import clock, config
from webapp.config import Settings
from webapp.domain.api_keys import NewKey
from webapp.domain.campaigns.runs import finish_runs
from webapp.errors import ValidationError
from webapp.models import Account, Campaign, CampaignRun, CampaignRunAccount, Email, MailLog, Organization
from webapp.models.campaign import CampaignStatus


@pytest.fixture
async def shop(account: Account, acme: Organization) -> Account:
    """An account of acme beside the one of hello@acme.example."""
    return await make_account(acme, name="Shop", from_email="orders@shop.example")


async def answer_of(api: Api, **fields: Any) -> tuple[int, str]:
    status, body = await api.post("/v1/emails", MAIL | fields)
    return status, str(body.get("message", ""))


ALLOWED = ["orders@shop.example", "@news.shop.example", "hi@bücher.example"]


@pytest.mark.parametrize(
    "sender",
    [
        "orders@shop.example",
        "Orders <ORDERS@Shop.Example>",
        "any.one@news.shop.example",
        "hello@acme.example via <orders@shop.example>",
        "HI@BÜCHER.example",
        "hi@xn--bcher-kva.example",
    ],
)
async def test_a_key_sends_as_its_addresses_and_domains(
    app: Quart, acme: Organization, shop: Account, sender: str
) -> None:
    api = await make_api(app, acme, allowed_from=ALLOWED)
    assert await answer_of(api, **{"from": sender}) == (200, "")


@pytest.mark.parametrize(
    "sender",
    [
        "hello@acme.example",
        "orders@shop.example <hello@acme.example>",
        '"orders@shop.example" <hello@acme.example>',
        "returns@shop.example",
        "orders@a.shop.example",
        "any@a.news.shop.example",
        "any@evilnews.shop.example",
        "orders@shop.example.evil.example",
        "hi@bucher.example",
    ],
)
async def test_a_key_sends_as_no_other_address(app: Quart, acme: Organization, shop: Account, sender: str) -> None:
    api = await make_api(app, acme, allowed_from=ALLOWED)
    status, message = await answer_of(api, **{"from": sender, "account_key": shop.account_key})
    assert status == 403
    assert message.endswith(", only as @news.shop.example, hi@xn--bcher-kva.example, orders@shop.example")
    assert await Email.all().count() == 0


@pytest.mark.parametrize("sender", [["orders@shop.example", "hello@acme.example"], "orders@shop.example, a@b.example"])
async def test_several_from_addresses_are_refused(app: Quart, acme: Organization, shop: Account, sender: Any) -> None:
    api = await make_api(app, acme, allowed_from=["orders@shop.example"])
    assert (await answer_of(api, **{"from": sender}))[0] == 400


async def test_headers_give_no_other_sender(app: Quart, acme: Organization, shop: Account) -> None:
    api = await make_api(app, acme, allowed_from=["orders@shop.example"])
    for name in ("From", "Sender", "from"):
        fields = {"from": "orders@shop.example", "headers": {name: "hello@acme.example"}}
        assert (await answer_of(api, **fields))[0] == 400


async def test_a_key_uses_its_accounts_alone(app: Quart, acme: Organization, account: Account, shop: Account) -> None:
    api = await make_api(app, acme, allowed_account_ids=[str(shop.id)])
    refusal = (403, f"this API key may not use the account Main, only Shop ({shop.account_key})")
    assert await answer_of(api, account_key=account.account_key) == refusal
    assert await answer_of(api) == refusal  # its From picks the account
    assert await answer_of(api, **{"from": "x@acme.example"}) == refusal
    unnamed = await Email.get(id=await send(api, **{"from": "x@elsewhere.example"}))
    named = await Email.get(id=await send(api, account_key=shop.account_key))
    assert unnamed.account_id == named.account_id == shop.id
    free = await Email.get(id=await send(await make_api(app, acme), **{"from": "x@elsewhere.example"}))
    assert free.account_id == account.id


async def test_an_allowed_account_of_the_domain_comes_before_another_with_the_address(
    app: Quart, acme: Organization, account: Account
) -> None:
    second = await make_account(acme, name="Second", from_email="second@acme.example")
    api = await make_api(app, acme, allowed_account_ids=[str(second.id)])
    assert (await Email.get(id=await send(api))).account_id == second.id


async def test_a_key_for_the_sandbox_sends_nowhere_else(app: Quart, acme: Organization, account: Account) -> None:
    sandbox = await make_account(acme, name="Sandbox", is_sandbox=True)
    api = await make_api(app, acme, allowed_account_ids=[str(sandbox.id)])
    assert (await Email.get(id=await send(api))).account_id == sandbox.id
    assert (await answer_of(api, account_key=account.account_key))[0] == 403


async def test_a_key_whose_accounts_were_deleted_sends_nothing(
    app: Quart, acme: Organization, account: Account, shop: Account
) -> None:
    api = await make_api(app, acme, allowed_account_ids=[str(shop.id)])
    await (await make_api(app, acme)).delete(f"/v1/accounts/{shop.id}")
    deleted = "this API key may not use the account Main, and the accounts that it may use were deleted"
    assert await answer_of(api) == await answer_of(api, account_key=account.account_key) == (403, deleted)


async def test_a_strangers_account_stays_unknown(app: Quart, acme: Organization, rival: Organization) -> None:
    theirs = await make_account(rival, from_email="rita@rival.example")
    with pytest.raises(ValidationError, match="allowed_account_ids must be accounts of this organization"):
        await make_api(app, acme, allowed_account_ids=[str(theirs.id)])
    ours = await make_account(acme)
    api = await make_api(app, acme, allowed_account_ids=[str(ours.id)])
    assert (await answer_of(api, account_key=theirs.account_key))[0] == 404
    campaign = await make_campaign(acme)
    body = {"sender_account_ids": [str(theirs.id)]}
    assert (await api.patch(f"/v1/campaigns/{campaign.id}", body))[0] == 404


async def test_resends_clients_are_told_the_scope_in_their_shape(app: Quart, acme: Organization, shop: Account) -> None:
    api = await make_api(app, acme, allowed_from=["@shop.example"])
    message = "this API key may not send as hello@acme.example, only as @shop.example"
    refusal = {"statusCode": 403, "name": "restricted_api_key", "message": message}
    assert await api.post("/resend/emails", MAIL) == (403, refusal)
    assert (await api.post("/resend/emails", MAIL | {"from": "orders@shop.example"}))[0] == 200


async def test_a_template_is_sent_within_the_scope(app: Quart, acme: Organization, shop: Account) -> None:
    template = await make_template(acme)
    api = await make_api(app, acme, allowed_from=["@shop.example"])
    mail = {"to": "ada@example.org", "template": {"id": str(template.id)}}
    assert (await api.post("/v1/emails", mail | {"from": "hello@acme.example"}))[0] == 403
    assert (await api.post("/v1/emails", mail | {"from": "orders@shop.example"}))[0] == 200


async def test_a_batch_names_the_email_outside_the_scope(app: Quart, acme: Organization, shop: Account) -> None:
    api = await make_api(app, acme, allowed_from=["@shop.example"])
    batch = [MAIL | {"from": "orders@shop.example"}, MAIL, MAIL | {"account_key": "acc_unknown"}, {"to": "x"}]
    status, answer = await api.post("/v1/emails/batch", batch)
    refusal = "emails.1: this API key may not send as hello@acme.example, only as @shop.example"
    assert (status, answer["message"]) == (403, refusal)
    assert await Email.all().count() == 0
    permissive = {"X-Batch-Validation": "permissive"}
    status, answer = await api.post("/v1/emails/batch", batch, headers=permissive)
    assert (status, len(answer["data"]), [fault["index"] for fault in answer["errors"]]) == (200, 1, [1, 2, 3])


async def test_emails_of_several_keys_at_once_keep_their_own_scopes(
    app: Quart, acme: Organization, shop: Account
) -> None:
    wide, narrow = await make_api(app, acme), await make_api(app, acme, allowed_from=["@shop.example"])
    answers = await asyncio.gather(*(answer_of(api) for api in (wide, narrow) * 10))
    assert [status for status, _ in answers] == [200, 403] * 10
    assert {row.from_email for row in await MailLog.all()} == {"hello@acme.example"}


async def test_a_repeated_request_gives_no_answer_outside_the_scope(
    app: Quart, acme: Organization, shop: Account
) -> None:
    wide, narrow = await make_api(app, acme), await make_api(app, acme, allowed_from=["@shop.example"])
    again = {"headers": {"Idempotency-Key": "order-1"}}
    assert (await wide.post("/v1/emails", MAIL, **again))[0] == 200
    status, answer = await narrow.post("/v1/emails", MAIL, **again)
    assert (status, answer["error"]) == (409, "IdempotencyConflict")
    other = {"headers": {"Idempotency-Key": "order-2"}}
    assert (await narrow.post("/v1/emails", MAIL, **other))[0] == 403
    assert (await wide.post("/v1/emails", MAIL, **other))[0] == 200
    body, twin = MAIL | {"from": "a@shop.example"}, await make_api(app, acme, allowed_from=["@shop.example"])
    third = {"headers": {"Idempotency-Key": "order-3"}}
    assert await narrow.post("/v1/emails", body, **third) == await twin.post("/v1/emails", body, **third)


async def campaign_of(org: Organization, **fields: Any) -> Campaign:
    template = await make_template(org, body="<p>Hello</p><p>{{ unsubscribe_url }}</p>")
    segment = await make_segment(org, await make_contact(org))
    return await make_campaign(org, segment=segment, template=template, **fields)


async def accounts_of(campaign: Campaign) -> list[Any]:
    run = await CampaignRun.get(campaign_id=campaign.id)
    return await CampaignRunAccount.filter(run_id=run.id).values_list("account_id", flat=True)


async def test_a_campaign_goes_out_from_the_keys_accounts(
    app: Quart, acme: Organization, account: Account, shop: Account
) -> None:
    api = await make_api(app, acme, allowed_account_ids=[str(shop.id)])
    campaign = await campaign_of(acme)
    named = {"sender_account_ids": [str(account.id), str(shop.id)]}
    assert (await api.post(f"/v1/campaigns/{campaign.id}/send", named))[0] == 403
    assert (await api.post(f"/v1/campaigns/{campaign.id}/send", {}))[0] == 200
    assert await accounts_of(campaign) == [shop.id]


async def test_a_campaign_goes_out_from_accounts_with_an_allowed_address(
    app: Quart, acme: Organization, account: Account, shop: Account
) -> None:
    api = await make_api(app, acme, allowed_from=["@shop.example"])
    campaign, other = await campaign_of(acme), await make_campaign(acme, from_email="hello@acme.example")
    assert (await api.post(f"/v1/campaigns/{campaign.id}/send", {}))[0] == 200
    assert await accounts_of(campaign) == [shop.id]
    await Campaign.filter(id=other.id).update(segment_id=campaign.segment_id, template_id=campaign.template_id)
    assert (await api.post(f"/v1/campaigns/{other.id}/send", {}))[0] == 403
    test = {"to": "ada@example.org"}
    assert (await api.post(f"/v1/campaigns/{other.id}/test", test))[0] == 403
    assert (await api.post(f"/v1/campaigns/{campaign.id}/test", test | {"account_id": str(account.id)}))[0] == 403


SCHEDULE = {"schedule_type": "recurring", "recurrence_interval": 1, "recurrence_unit": "day"}


async def test_a_schedule_of_a_key_uses_its_accounts(app: Quart, acme: Organization, shop: Account) -> None:
    api = await make_api(app, acme, allowed_account_ids=[str(shop.id)])
    model = await campaign_of(acme)
    body = {"title": "x", "segment_id": str(model.segment_id), "template_id": str(model.template_id), **SCHEDULE}
    assert (await api.create("/v1/campaigns", body))["sender_account_ids"] == [str(shop.id)]
    assert (await api.post("/v1/campaigns", body | {"from_email": "hello@acme.example"}))[0] == 400
    status, answer = await api.patch(f"/v1/campaigns/{model.id}", SCHEDULE)
    assert (status, answer["data"]["sender_account_ids"]) == (200, [str(shop.id)])


async def test_a_schedule_that_sends_from_other_accounts_is_not_changed(
    app: Quart, acme: Organization, account: Account, shop: Account
) -> None:
    wide, narrow = await make_api(app, acme), await make_api(app, acme, allowed_account_ids=[str(shop.id)])
    campaign = await campaign_of(acme)
    path = f"/v1/campaigns/{campaign.id}"
    assert (await wide.patch(path, SCHEDULE))[0] == 200
    refusal = f"this API key may not use the account Main, only Shop ({shop.account_key})"
    for body in ({"subject": "Mine"}, {"sender_account_ids": [str(account.id)]}):
        status, answer = await narrow.patch(path, body)
        assert (status, answer["message"]) == (403, refusal)
    assert (await narrow.post(f"{path}/send", {"send_now": False}))[0] == 403
    assert (await Campaign.get(id=campaign.id)).subject is None
    assert (await wide.post(f"{path}/stop"))[0] == 200
    assert (await narrow.post(f"{path}/resume"))[0] == 403
    assert (await narrow.patch(path, {"subject": "Mine", "sender_account_ids": [str(shop.id)]}))[0] == 200
    assert (await narrow.post(f"{path}/resume"))[0] == 200


@pytest.mark.parametrize("scope", ["allowed_account_ids", "allowed_from"])
async def test_a_scheduled_email_of_another_account_is_not_moved(
    app: Quart, acme: Organization, account: Account, shop: Account, scope: str
) -> None:
    wide = await make_api(app, acme)
    allowed: dict[str, Any] = {"allowed_account_ids": [str(shop.id)], "allowed_from": ["@shop.example"]}
    narrow = await make_api(app, acme, **{scope: allowed[scope]})
    later, sooner = ({"scheduled_at": (clock.now() + timedelta(days=days)).isoformat()} for days in (2, 1))
    theirs, own = (
        await send(wide, **{"from": "hello@acme.example"}, **later),
        await send(narrow, **{"from": "orders@shop.example"}, **later),
    )
    kept = (await Email.get(id=theirs)).scheduled_at
    for door in ("/v1", "/resend"):
        assert (await narrow.patch(f"{door}/emails/{theirs}", sooner))[0] == 403
        assert (await narrow.patch(f"{door}/emails/{own}", sooner))[0] == 200
    assert (await Email.get(id=theirs)).scheduled_at == kept


async def test_a_limited_key_revokes_no_keys(app: Quart, acme: Organization, shop: Account) -> None:
    wide = await make_api(app, acme)
    narrow = await make_api(app, acme, allowed_from=["@shop.example"])
    (_, listed) = await narrow.get("/resend/api-keys")
    for key in listed["data"]:
        assert (await narrow.delete(f"/resend/api-keys/{key['id']}"))[0] == 403
    assert (await narrow.get("/resend/api-keys"))[1]["data"] == listed["data"]
    assert (await wide.delete(f"/resend/api-keys/{listed['data'][0]['id']}"))[0] == 200


@pytest.mark.parametrize("scope", ["allowed_account_ids", "allowed_from"])
async def test_a_key_changes_its_accounts_alone(
    app: Quart, acme: Organization, account: Account, shop: Account, scope: str
) -> None:
    allowed: dict[str, Any] = {"allowed_account_ids": [str(shop.id)], "allowed_from": ["@shop.example"]}
    narrow = await make_api(app, acme, **{scope: allowed[scope]})
    assert (await narrow.patch(f"/v1/accounts/{account.id}", {"status": "paused"}))[0] == 403
    assert (await narrow.delete(f"/v1/accounts/{account.id}"))[0] == 403
    assert (await Account.get(id=account.id)).status == "active"
    assert (await narrow.patch(f"/v1/accounts/{shop.id}", {"status": "paused"}))[0] == 200
    assert (await narrow.delete(f"/v1/accounts/{shop.id}"))[0] == 200


async def test_a_key_gives_no_account_another_address(app: Quart, acme: Organization, shop: Account) -> None:
    narrow = await make_api(app, acme, allowed_from=["@shop.example"])
    new = {"name": "New", "provider_type": "smtp", "smtp_host": shop.smtp_host, "smtp_port": shop.smtp_port}
    path = f"/v1/accounts/{shop.id}"
    assert (await narrow.patch(path, {"from_email": "hello@acme.example"}))[0] == 403
    assert (await narrow.post("/v1/accounts", new | {"from_email": "hello@acme.example"}))[0] == 403
    assert (await narrow.patch(path, {"from_email": "hi@shop.example"}))[0] == 200
    assert (await narrow.post("/v1/accounts", new | {"from_email": "hi@shop.example"}))[0] == 201
    of_accounts = await make_api(app, acme, allowed_account_ids=[str(shop.id)])
    assert (await of_accounts.post("/v1/accounts", new))[0] == 403


async def test_a_key_signs_nobody_up_by_the_mail_of_another_account(
    app: Quart, acme: Organization, account: Account, shop: Account
) -> None:
    wide, narrow = await make_api(app, acme), await make_api(app, acme, allowed_account_ids=[str(shop.id)])
    theirs, own = [
        await wide.create("/v1/forms", {"name": "Newsletter", "account_id": str(sender.id)})
        for sender in (account, shop)
    ]
    person = {"email": "ada@example.org"}
    assert (await narrow.post(f"/v1/forms/{theirs['id']}/sign-ups", person))[0] == 403
    assert (await narrow.post(f"/v1/forms/{own['id']}/sign-ups", person))[0] == 202


async def test_a_schedule_keeps_to_allowed_addresses(
    app: Quart, acme: Organization, account: Account, shop: Account
) -> None:
    api = await make_api(app, acme, allowed_from=["news@shop.example"])
    campaign = await campaign_of(acme, from_email="hello@acme.example")
    path = f"/v1/campaigns/{campaign.id}"
    assert (await api.patch(path, {"title": "Spring"}))[0] == 200  # it has no schedule, so a person sends it
    assert (await api.patch(path, SCHEDULE))[0] == 403
    assert (await api.patch(path, {"from_email": None, **SCHEDULE}))[0] == 403  # no account has the address
    assert (await api.patch(path, {"from_email": "hello@acme.example"}))[0] == 403
    assert (await api.patch(path, {"from_email": "news@shop.example", **SCHEDULE}))[0] == 200


async def test_a_halted_run_of_other_accounts_is_not_resumed(
    app: Quart, acme: Organization, account: Account, shop: Account
) -> None:
    wide, narrow = await make_api(app, acme), await make_api(app, acme, allowed_account_ids=[str(shop.id)])
    campaign = await campaign_of(acme)
    path = f"/v1/campaigns/{campaign.id}"
    assert (await wide.post(f"{path}/send", {"sender_account_ids": [str(account.id)]}))[0] == 200
    assert (await narrow.post(f"{path}/stop"))[0] == 200
    assert (await narrow.post(f"{path}/resume"))[0] == 403
    assert (await Campaign.get(id=campaign.id)).status == CampaignStatus.HALTED
    assert (await wide.post(f"{path}/resume"))[0] == 200


async def test_a_failed_run_is_retried_from_the_keys_accounts(
    app: Quart, acme: Organization, account: Account, shop: Account
) -> None:
    wide, campaign = await make_api(app, acme), await campaign_of(acme)
    path = f"/v1/campaigns/{campaign.id}"
    assert (await wide.post(f"{path}/send", {"sender_account_ids": [str(account.id)]}))[0] == 200
    await MailLog.all().update(status="failed")
    await finish_runs()
    run = await CampaignRun.get(campaign_id=campaign.id)
    for scope in ({"allowed_account_ids": [str(shop.id)]}, {"allowed_from": ["@shop.example"]}):
        assert (await (await make_api(app, acme, **scope)).post(f"{path}/runs/{run.id}/retry"))[0] == 403
    assert (await (await make_api(app, acme, allowed_from=["@acme.example"])).post(f"{path}/runs/{run.id}/retry"))[
        0
    ] == 200


NETWORKS = ["203.0.113.0/24", "::ffff:198.51.100.7", "2001:db8::/32"]


@pytest.mark.parametrize("address", ["203.0.113.7", "::ffff:203.0.113.7", "198.51.100.7", "2001:db8:1::1"])
async def test_a_key_works_from_its_networks(app: Quart, acme: Organization, address: str) -> None:
    api = await make_api(app, acme, allowed_networks=NETWORKS)
    assert (await api.get("/v1/accounts", scope_base={"client": (address, 50_000)}))[0] == 200


@pytest.mark.parametrize("path", ["/v1/accounts", "/api/v1/accounts", "/v1/nothing", "/v1/emails", "/v1/usage"])
@pytest.mark.parametrize("address", ["203.0.114.7", "2001:db9::1", "::ffff:203.0.114.7", "<local>"])
async def test_a_key_works_from_nowhere_else(app: Quart, acme: Organization, address: str, path: str) -> None:
    api = await make_api(app, acme, allowed_networks=NETWORKS)
    forged = {"X-Forwarded-For": "203.0.113.7", "X-Real-IP": "203.0.113.7"}
    status, answer = await api.get(path, scope_base={"client": (address, 50_000)}, headers=forged)
    assert status == 403
    assert answer["message"].endswith(", only from 203.0.113.0/24, 198.51.100.7/32, 2001:db8::/32")


async def test_a_trusted_proxy_says_where_a_key_is_used(app: Quart, acme: Organization, settings: Settings) -> None:
    api = await make_api(app, acme, allowed_networks=["203.0.113.0/24"])
    config.configure(replace(settings, trusted_proxies=(ip_network("127.0.0.1"),)))
    proxy = {"client": ("127.0.0.1", 50_000)}
    for address, status in (("203.0.113.7", 200), ("203.0.114.7", 403), ("203.0.113.7, 203.0.114.7", 403)):
        answer = await api.get("/v1/accounts", scope_base=proxy, headers={"X-Forwarded-For": address})
        assert answer[0] == status


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("allowed_from", "shop.example"),
        ("allowed_from", "*@shop.example"),
        ("allowed_from", "@*.shop.example"),
        ("allowed_from", "@"),
        ("allowed_from", ""),
        ("allowed_from", "Shop <orders@shop.example>"),
        ("allowed_from", "@shop.example, @acme.example"),
        ("allowed_from", "@" + "a" * 400 + ".example"),
        ("allowed_networks", "10.0.0.1/8"),
        ("allowed_networks", "10.0.0.0/33"),
        ("allowed_networks", "shop.example"),
        ("allowed_networks", ""),
        ("allowed_account_ids", "Main"),
        ("allowed_account_ids", "0197"),
    ],
)
def test_what_is_no_scope_is_refused(field: str, value: str) -> None:
    with pytest.raises(InvalidInput):
        NewKey.model_validate({"name": "x", "role": "sender", field: [value]})


def test_a_scope_has_100_items_at_most_in_one_form() -> None:
    fields = {"name": "x", "role": "sender"}
    key = NewKey.model_validate(fields | {"allowed_from": [" A@Shop.Example ", "a@shop.example", "@BÜCHER.example"]})
    assert key.allowed_from == ["a@shop.example", "@xn--bcher-kva.example"]
    with pytest.raises(InvalidInput):
        NewKey.model_validate(fields | {"allowed_networks": [f"10.0.0.{number}" for number in range(101)]})
