"""Stored bodies, queries and headers hold no secret, no long attachment, and no more than their bound."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.domain.api_requests.masking import (
    BODY_BYTES,
    START_BYTES,
    BodyStart,
    MaskedBody,
    harmless_headers,
    mask_body,
    mask_headers,
    mask_query,
)
from webapp.logs import hide_secrets
from webapp.secret_names import is_secret

HIDDEN = "[hidden]"


def start_of(body: bytes) -> BodyStart:
    return BodyStart(body[:START_BYTES], len(body) <= START_BYTES)


def masked(body: Any) -> tuple[Any, bool]:
    """The stored body, read again, and True where it is cut."""
    found = mask_body(start_of(body if isinstance(body, bytes) else json.dumps(body).encode()))
    return json.loads(found.text), found.is_cut


SECRETS_BY_NAME = [
    "smtp_password", "google_access_token", "clientSecret", "key", "X-Api-Key", "tokens", "session cookie", "old_pass_hash",
    "pwd2", "P A S S", "data[pin]", "idJwt", "X-Signature-256", "otpCode1",
]  # fmt: skip
HARMLESS = [
    "account_key", "accountKey", "Idempotency-Key", "monkey1", "passenger", "footprint", "author", "keyboard", "spin", "",
]  # fmt: skip


@pytest.mark.parametrize("name", [*SECRETS_BY_NAME, *HARMLESS])
def test_a_field_is_secret_by_its_name(name: str) -> None:
    hides = name in SECRETS_BY_NAME
    assert is_secret(name) == hides
    assert masked({name: "hunter2"}) == ({name: HIDDEN if hides else "hunter2"}, False)


NOTHING_SECRET = {"has_smtp_password": True, "token": None, "secret": "", "html": "<script></script>", "t": "\x00 ünï"}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"password": ["hunter2", {"a": "hunter2"}]}, {"password": HIDDEN}),
        ({"a": [{"b": {"c": [[{"secret": "hunter2"}]]}}]}, {"a": [{"b": {"c": [[{"secret": HIDDEN}]]}}]}),
        (NOTHING_SECRET, NOTHING_SECRET),
        (b'{"pass\\u0077ord": "hunter2"}', {"password": HIDDEN}),
        ({"note": f"use svc_live_{'a' * 40}"}, {"note": f"use svc_live_{HIDDEN}"}),
        ({"url": "smtp://ada:hunter2@mail.example"}, {"url": f"smtp://ada:{HIDDEN}@mail.example"}),
        ({"note": "\bBearer abcdefgh12345678"}, {"note": f"\bBearer {HIDDEN}"}),
    ],
)
def test_secrets_are_hidden_at_any_depth_and_all_else_is_as_it_came(body: Any, expected: Any) -> None:
    assert masked(body) == (expected, False)


def test_the_content_of_attachments_is_shortened() -> None:
    content = "QUJD" * 1000
    found, is_cut = masked({"attachments": [{"filename": "a.pdf", "content": content}, {"content": "QUJD"}], "to": "a"})
    assert found == {
        "attachments": [{"filename": "a.pdf", "content": f"{content[:60]}… (4,000 characters)"}, {"content": "QUJD"}],
        "to": "a",
    }
    assert not is_cut


@pytest.mark.parametrize(
    "body",
    [
        b"{", b'{"a": NaN}', b'{"a": "\xff"}', b"[" * 100_000, b"a=1&password=hunter2",
        b'{"a": tru, "b": "' + b"x" * START_BYTES,
    ],
)  # fmt: skip
def test_what_is_no_json_is_not_stored(body: bytes) -> None:
    assert mask_body(start_of(body)) == MaskedBody(None)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"to": "ada", "html": "x" * 50_000}, {"to": "ada", "html": "x" * (BODY_BYTES - len('{"to":"ada","html":"'))}),
        ({"to": "ada", "password": "hunter2" * 9_000}, {"to": "ada", "password": HIDDEN}),
        ({"x": "🙂" * 50_000}, None),
        ({"a": [{"n": number, "key": "hunter2"} for number in range(9_000)]}, None),
        ({"attachments": [{"content": "QUJD" * 9_000, "filename": "a.pdf"}]}, None),
    ],
)
def test_a_long_body_is_cut_and_says_so(body: Any, expected: Any) -> None:
    found, is_cut = masked(body)
    assert is_cut
    assert expected is None or found == expected
    assert len(json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode()) < BODY_BYTES + 100
    assert "hunter2" not in json.dumps(found)


WRITTEN = st.text(
    st.sampled_from(["\\", "\t", "\x0b", "\x1d", "\b", "\x01", '"', " ", ":", "/", "é", "\n", "r", "u", "@"])
)
SECRETS = st.sampled_from(["svc_live_ABC123", "smtp://ada:hunter2@x.example", "Bearer abcdefgh123", "/reset/abc-1"])
BESIDE_SECRETS = st.builds("{}{}{}".format, WRITTEN, SECRETS, WRITTEN)


@given(st.lists(BESIDE_SECRETS | WRITTEN, min_size=1, max_size=5), st.booleans())
def test_no_stored_string_holds_what_would_be_hidden(texts: list[str], is_whole: bool) -> None:  # noqa: FBT001 - an input of the property
    body = json.dumps([*texts, {texts[0]: texts}])
    found = mask_body(BodyStart((body if is_whole else body.removesuffix("}]")).encode(), is_whole))
    *stored, named = json.loads(found.text)
    assert [hide_secrets(text) for text in texts] == stored
    assert named == {hide_secrets(texts[0]): stored}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (b"page=2&page_size=10", "page=2&page_size=10"),
        (b"page=2&secret=hunter2", f"page=2&secret={HIDDEN}"),
        (b"filter[token]=hunter2", f"filter[token]={HIDDEN}"),
        (b"x=svc%5Flive%5F" + b"a" * 40, f"x={HIDDEN}"),
        (b"svc_live_ABCDEFG123", HIDDEN),
        (b"a=1;b=2;password=hunter2;c&d=4", f"a={HIDDEN}&d=4"),
        (b"smtp://ada:hunter=2@mail.example", HIDDEN),
        (b"next=/emails%3Ftoken=hunter2", f"next={HIDDEN}"),
        (b"a=" + b";token" * 900, "a=" + ";token" * 333),
        (b"x=<script>\xff\x1b", "x=%3Cscript%3E%EF%BF%BD%1B"),
        (b"a=" + b"x" * 9_000, "a=" + "x" * 1_998),
    ],
)
def test_a_query_is_printable_and_without_secrets(query: bytes, expected: str) -> None:
    assert mask_query(query) == expected


def test_headers_that_may_hold_a_secret_are_left_out() -> None:
    secret = ("Authorization", "Cookie", "X-Api-Key", "X-Origin-Verify", "Cf-Access-Jwt-Assertion", "Referer")
    harmless = ("Content-Type", "user-agent", "Idempotency-Key", "X-Forwarded-For")
    assert harmless_headers([(name, "x") for name in (*secret, *harmless)]) == [(name, "x") for name in harmless]


def test_headers_are_few_and_short_and_hide_what_looks_like_a_secret() -> None:
    headers = [("User-Agent", f"shop svc_live_{'a' * 40}"), *[("Accept", "x" * 9_000)] * 100]
    first, *others = json.loads(mask_headers(harmless_headers(headers)))
    assert first == ["User-Agent", f"shop svc_live_{HIDDEN}"]
    assert others == [["Accept", "x" * 500]] * 39


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://a.example/in?token=abc&x=1", "https://a.example/in?token=[hidden]&x=1"),
        ("https://a.example/in?%74oken=abc", "https://a.example/in?%74oken=[hidden]"),
        ("https://a.example/in?code=abc&sig=d%2Fe", "https://a.example/in?code=[hidden]&sig=[hidden]"),
        ("https://ghp_abc@a.example/in", "https://[hidden]@a.example/in"),
        ("https://hooks.slack.com/services/T1/B2/abc", "https://hooks.slack.com/services/[hidden]"),
        ("https://discord.com/api/webhooks/12/abc?wait=1", "https://discord.com/api/webhooks/12/[hidden]?wait=1"),
        *((text, text) for text in ("https://a.example/in?utm_source=x&monkey=2", "?account_key=acc_1", "a@b.example")),
    ],
)
def test_secrets_of_urls_are_hidden(text: str, shown: str) -> None:
    assert hide_secrets(text) == shown
    assert hide_secrets(shown) == shown
    assert hide_secrets(f'posted to "{text}", then') == f'posted to "{shown}", then'
