"""The environment becomes settings, or one line that says what to do."""

import re
import socket
import stat
from pathlib import Path

import pytest

from webapp.config import read_settings
from webapp.config.mail import SignUp, helo_name_of
from webapp.errors import ConfigError
from webapp.sending.smtp.connect import Dialer

KEY = "q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s="
OTHER_KEY = "u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7s="


def test_without_any_variable_everything_is_embedded(tmp_path: Path) -> None:
    found = read_settings({"PENNYPOST_DATA_DIR": str(tmp_path)})
    assert (found.host, found.port, found.base_url) == ("127.0.0.1", 8000, "http://127.0.0.1:8000")
    assert found.sqlite_path == tmp_path / "pennypost.db"
    assert (found.redis_url, found.sandbox_port, found.lease_seconds) == (None, 1025, 90)
    assert (found.retry_hours, found.database_seconds) == (24, 60)
    assert found.smtp_timeouts == (15, 60, 120, 600, 900)
    assert not found.allow_private_hosts
    assert not found.is_secure


def test_a_made_key_is_kept_for_this_user_alone_and_read_again(tmp_path: Path) -> None:
    first = read_settings({"PENNYPOST_DATA_DIR": str(tmp_path / "new")})
    again = read_settings({"PENNYPOST_DATA_DIR": str(tmp_path / "new")})
    assert first.secret_keys == again.secret_keys
    assert stat.S_IMODE((tmp_path / "new" / "secret_keys").stat().st_mode) == 0o600


def test_given_keys_win_and_the_first_encrypts(tmp_path: Path) -> None:
    found = read_settings({"PENNYPOST_DATA_DIR": str(tmp_path), "PENNYPOST_SECRET_KEYS": f"{KEY}, {OTHER_KEY}"})
    assert found.secret_keys == (b"\xab" * 32, b"\xbb" * 32)
    assert list(tmp_path.iterdir()) == []


WRONG = {
    "DATABASE_URL": "postgres://localhost:99999/x",
    "REDIS_URL": "redis://localhost:port",
    "PENNYPOST_PORT": "٨٠",
    "PENNYPOST_BASE_URL": "mail.example.com",
    "PENNYPOST_SECRET_KEYS": KEY + ",short",
    "PENNYPOST_SANDBOX_PORT": "-1",
    "PENNYPOST_ALLOW_PRIVATE_HOSTS": "10.0.0.1/8",
    "PENNYPOST_DATABASE_SECONDS": "0",
    "PENNYPOST_LEASE_SECONDS": "1e9",
    "PENNYPOST_RETRY_HOURS": "721",
    "PENNYPOST_SMTP_TIMEOUTS": "15,60,120,600",
    "PENNYPOST_REDIS_PREFIX": "a:b",
    "PENNYPOST_HELO_NAME": "mail example.com",
    "PENNYPOST_DNS_SERVERS": "dns.example.com",
    "PENNYPOST_BOUNCE_LIMIT": "101,100",
    "PENNYPOST_COMPLAINT_LIMIT": "nan,1000",
    "PENNYPOST_TRUSTED_PROXIES": "proxy.example.com",
    "PENNYPOST_GOOGLE_CLIENT_ID": "two words",
    "PENNYPOST_GOOGLE_TOKEN_URL": "https://user@oauth2.example.com/token",
    "PENNYPOST_GOOGLE_API_URL": "https://gmail.example.com:99999",
    "PENNYPOST_SMTP_URL": "smtp://ada:hush hush@mail.example.com",
    "PENNYPOST_MAIL_FROM": "Pennypost <post@example.com> and others",
    "PENNYPOST_SIGN_UP": "everybody",
}


@pytest.mark.parametrize(("name", "value"), WRONG.items(), ids=WRONG)
def test_a_wrong_value_is_one_line_that_names_the_variable(name: str, value: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as refusal:
        read_settings({"PENNYPOST_DATA_DIR": str(tmp_path), "PENNYPOST_SECRET_KEYS": KEY, name: value})
    assert str(refusal.value).startswith(name)
    assert "\n" not in str(refusal.value)
    assert "hush" not in str(refusal.value)


@pytest.mark.parametrize("name", ["mail.acme.example", "[192.0.2.1]"])
def test_the_name_to_greet_by_is_the_one_that_is_given(name: str, tmp_path: Path) -> None:
    given = {"PENNYPOST_HELO_NAME": name, "PENNYPOST_BASE_URL": "https://web.acme.example"}
    assert Dialer.of(read_settings({"PENNYPOST_DATA_DIR": str(tmp_path), **given})).helo_name == name


@pytest.mark.parametrize(
    ("base_url", "name"),
    [
        ("https://Mail.Acme.Example:8443/", "mail.acme.example"),
        ("http://pennypost:8000", None),
        ("http://192.0.2.1", None),
    ],
)
def test_without_one_it_is_the_host_of_the_base_url_where_that_is_a_full_name(
    base_url: str, name: str | None, tmp_path: Path
) -> None:
    found = Dialer.of(read_settings({"PENNYPOST_DATA_DIR": str(tmp_path), "PENNYPOST_BASE_URL": base_url}))
    machine = helo_name_of("http://localhost")
    assert found.helo_name == (name or machine)
    assert machine in (None, socket.gethostname())


def test_google_is_googles_unless_it_is_told_otherwise(tmp_path: Path) -> None:
    here = {"PENNYPOST_DATA_DIR": str(tmp_path)}
    found = read_settings(here).google
    assert (found.has_client, found.api_url) == (False, "https://gmail.googleapis.com")
    client = {"PENNYPOST_GOOGLE_CLIENT_ID": "id", "PENNYPOST_GOOGLE_CLIENT_SECRET": "hush"}
    found = read_settings(here | client | {"PENNYPOST_GOOGLE_API_URL": "http://127.0.0.1:81/"}).google
    assert (found.has_client, found.api_url) == (True, "http://127.0.0.1:81")
    assert "hush" not in repr(found)


@pytest.mark.parametrize(
    ("url", "port", "security", "login", "shown"),
    [
        ("smtp://mail.example.com", 587, "starttls", (None, None), "smtp://mail.example.com:587"),
        ("smtp://ada:h%2Fush@[::1]:2525/", 2525, "starttls", ("ada", "h/ush"), "smtp://[::1]:2525"),
        ("smtp://10.0.0.1:25?tls=none", 25, "none", (None, None), "smtp://10.0.0.1:25"),
        ("smtps://a%40b.example:h%20ush@mx", 465, "tls", ("a@b.example", "h ush"), "smtps://mx:465"),
    ],
)
def test_the_instance_mails_by_a_server_of_the_operators(
    tmp_path: Path, url: str, port: int, security: str, login: tuple[str | None, str | None], shown: str
) -> None:
    found = read_settings(
        {
            "PENNYPOST_DATA_DIR": str(tmp_path),
            "PENNYPOST_SMTP_URL": url,
            "PENNYPOST_MAIL_FROM": "Our Post <post@Example.COM>",
        }
    )
    assert found.mail is not None
    server = found.mail.server
    assert (server.port, server.security, (server.username, server.password)) == (port, security, login)
    assert str(server) == shown
    assert found.mail.sender == ("Our Post", "post@example.com")
    assert login[1] is None or login[1] not in repr(found)


@pytest.mark.parametrize(
    ("given", "value", "missing"),
    [
        ("PENNYPOST_SMTP_URL", "smtp://ada:hush@mail.example.com", "PENNYPOST_MAIL_FROM"),
        ("PENNYPOST_MAIL_FROM", "post@example.com", "PENNYPOST_SMTP_URL"),
        ("PENNYPOST_GOOGLE_CLIENT_ID", "x", "PENNYPOST_GOOGLE_CLIENT_SECRET"),
        ("DATABASE_URL", "postgres://localhost/pennypost", "PENNYPOST_SECRET_KEYS"),
    ],
)
def test_what_belongs_together_is_set_together(tmp_path: Path, given: str, value: str, missing: str) -> None:
    with pytest.raises(ConfigError, match=f"^{missing} is required") as refusal:
        read_settings({"PENNYPOST_DATA_DIR": str(tmp_path), given: value})
    assert "hush" not in str(refusal.value)


def test_nobody_signs_up_unless_it_is_told_otherwise(tmp_path: Path) -> None:
    here = {"PENNYPOST_DATA_DIR": str(tmp_path)}
    found = read_settings(here)
    assert (found.mail, found.sign_up, found.sign_up_plan) == (None, "closed", "enterprise")
    assert read_settings(here | {"PENNYPOST_SIGN_UP": "invite"}).sign_up is SignUp.INVITE
    mail = {"PENNYPOST_SMTP_URL": "smtp://mx", "PENNYPOST_MAIL_FROM": "post@example.com"}
    assert read_settings(here | mail | {"PENNYPOST_SIGN_UP": "open"}).sign_up is SignUp.OPEN


@pytest.mark.parametrize("content", [b"damaged\n", b""])
def test_a_damaged_key_file_is_said_and_left_alone(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "secret_keys").write_bytes(content)
    with pytest.raises(ConfigError, match="secret"):
        read_settings({"PENNYPOST_DATA_DIR": str(tmp_path)})
    assert (tmp_path / "secret_keys").read_bytes() == content


def test_name_servers_are_addresses_with_ports_or_not(tmp_path: Path) -> None:
    given = "192.0.2.53, 192.0.2.54:5353,2001:db8::53,[2001:db8::54]:5353"
    found = read_settings({"PENNYPOST_DATA_DIR": str(tmp_path), "PENNYPOST_DNS_SERVERS": given}).dns_servers
    assert found == (("192.0.2.53", 53), ("192.0.2.54", 5353), ("2001:db8::53", 53), ("2001:db8::54", 5353))


def test_networks_and_proxies_are_lists(tmp_path: Path) -> None:
    found = read_settings(
        {
            "PENNYPOST_DATA_DIR": str(tmp_path),
            "PENNYPOST_ALLOW_PRIVATE_HOSTS": "10.0.0.0/8, fd00::/8",
            "PENNYPOST_TRUSTED_PROXIES": "127.0.0.1",
        }
    )
    assert [str(network) for network in found.private_networks] == ["10.0.0.0/8", "fd00::/8"]
    assert [str(network) for network in found.trusted_proxies] == ["127.0.0.1/32"]
    assert not found.allow_private_hosts


@pytest.mark.parametrize(("host", "base_url"), [("0.0.0.0", "http://localhost:8000"), ("::1", "http://[::1]:8000")])
def test_the_base_url_is_an_address_people_can_open(host: str, base_url: str, tmp_path: Path) -> None:
    assert read_settings({"PENNYPOST_DATA_DIR": str(tmp_path), "PENNYPOST_HOST": host}).base_url == base_url


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("HTTPS://Mail.Example.com/", "https://mail.example.com"),
        ("http://mail.example.com:443", "http://mail.example.com:443"),
        ("http://[::1]:80", "http://[::1]"),
    ],
)
def test_the_base_url_is_read_as_browsers_write_it(url: str, origin: str, tmp_path: Path) -> None:
    found = read_settings({"PENNYPOST_DATA_DIR": str(tmp_path), "PENNYPOST_BASE_URL": url})
    assert (found.base_url, found.is_secure) == (origin, origin.startswith("https:"))


SERVER_URLS = {
    "DATABASE_URL": "postgres://ada:%s@db.example:5432/pennypost",
    "REDIS_URL": "redis://ada:%s@redis.example:6379/0",
    "PENNYPOST_CONSENT_URL": "postgres://ada:%s@db.example:5432/consent",
    "PENNYPOST_SMTP_URL": "smtp://ada:%s@mail.example:587",
    "PENNYPOST_MEDIA_URL": "s3://ada:%s@s3.example/bucket?tls=none",
}


@pytest.mark.parametrize("variable", list(SERVER_URLS))
@pytest.mark.parametrize("password", ["hunt/er2", "12/er2", "12?er2", "12#er2", "hu[nt]er2"])
def test_a_password_that_must_be_encoded_is_refused_and_not_repeated(
    tmp_path: Path, variable: str, password: str
) -> None:
    environ = {"PENNYPOST_DATA_DIR": str(tmp_path), "PENNYPOST_SECRET_KEYS": KEY}
    with pytest.raises(ConfigError) as refused:
        read_settings(environ | {variable: SERVER_URLS[variable] % password})
    line = str(refused.value)
    assert line.startswith(f"{variable} ")
    assert "percent-encode" in line
    assert not re.search("hunt|er2", line)


@pytest.mark.parametrize("variable", list(SERVER_URLS))
@pytest.mark.parametrize("password", ["hunt@er2", "hunt%2Fer2"])
def test_a_password_that_is_clear_is_taken(tmp_path: Path, variable: str, password: str) -> None:
    environ = {"PENNYPOST_DATA_DIR": str(tmp_path), "PENNYPOST_SECRET_KEYS": KEY}
    environ |= {"PENNYPOST_MAIL_FROM": "post@example.com", "PENNYPOST_SMTP_URL": "smtp://mail.example"}
    read_settings(environ | {variable: SERVER_URLS[variable] % password})


def test_an_at_sign_in_a_parameter_is_no_password(tmp_path: Path) -> None:
    environ = {"PENNYPOST_DATA_DIR": str(tmp_path), "PENNYPOST_SECRET_KEYS": KEY}
    url = "postgres://db.example/pennypost?user=ada@acme.example"
    assert read_settings(environ | {"DATABASE_URL": url}).database_url == url
