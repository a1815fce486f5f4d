"""`pennypost smtp`, alone and within `up`: its settings, its end, and what doctor and /readyz say of it."""

import smtplib
import socket
from datetime import timedelta
from pathlib import Path

import pytest
import trustme
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

from tests.cli.conftest import Pennypost, make_org, wait_until
from tests.conftest import free_port
from tests.smtp.conftest import HOST, write_certificate
from webapp import clock

CONTENT = "From: hello@acme.example\r\nSubject: Hi\r\n\r\nHi\r\n"


@pytest.mark.parametrize(
    ("environ", "words"),
    [
        ({}, "set PENNYPOST_SMTP_PORT, PENNYPOST_SMTPS_PORT or both: the ports that programs submit to"),
        (
            {"PENNYPOST_SMTPS_PORT": "1465"},
            "PENNYPOST_SMTP_CERT and PENNYPOST_SMTP_KEY are required with PENNYPOST_SMTPS",
        ),
        ({"PENNYPOST_SMTP_CERT": __file__}, "PENNYPOST_SMTP_CERT and PENNYPOST_SMTP_KEY are required together"),
        ({"PENNYPOST_SMTP_PORT": "99999"}, "PENNYPOST_SMTP_PORT must be a port number from 1 to 65535"),
        ({"PENNYPOST_SMTP_MAX_BYTES": "1000"}, "PENNYPOST_SMTP_MAX_BYTES must be a number of bytes from 65536"),
        ({"PENNYPOST_SMTP_CERT": "/none.pem"}, "PENNYPOST_SMTP_CERT must be a file, but /none.pem is not"),
    ],
)
def test_wrong_settings_stop_the_start_with_a_line(pennypost: Pennypost, environ: dict[str, str], words: str) -> None:
    assert pennypost.refuses("smtp", **environ).startswith(words)


@pytest.mark.parametrize("command", ["smtp", "up"])
def test_an_encrypted_key_stops_the_start_with_a_line(pennypost: Pennypost, tmp_path: Path, command: str) -> None:
    certificate, key = write_certificate(trustme.CA(), tmp_path)
    encryption = BestAvailableEncryption(b"secret")
    written = load_pem_private_key(key.read_bytes(), None).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption)
    key.write_bytes(written)
    files = {"PENNYPOST_SMTP_CERT": str(certificate), "PENNYPOST_SMTP_KEY": str(key)}
    refusal = pennypost.refuses(command, PENNYPOST_SMTP_PORT=str(free_port()), **files)
    assert refusal == "PENNYPOST_SMTP_KEY must be a key without a passphrase: decrypt it with `openssl pkey`"


def test_up_receives_email_by_smtp_and_doctor_names_the_end_of_the_certificate(
    pennypost: Pennypost, tmp_path: Path
) -> None:
    authority, port, tls_port = trustme.CA(), free_port(), free_port()
    certificate, key = write_certificate(authority, tmp_path)
    ports = {"PENNYPOST_SMTP_PORT": str(port), "PENNYPOST_SMTPS_PORT": str(tls_port)}
    files = {"PENNYPOST_SMTP_CERT": str(certificate), "PENNYPOST_SMTP_KEY": str(key)}
    assert "warn  SMTP" in pennypost.run("doctor", **ports, **files).stdout
    up = pennypost.start("up", **ports, **files).wait_for(r"(?m)^ready$")
    assert f"SMTP               smtps://127.0.0.1:{tls_port}" in up.said
    secret = pennypost.prints("create-key", make_org(pennypost), "--name", "smtp", "--role", "sender")
    with smtplib.SMTP(HOST, port, timeout=30) as client:
        client.starttls()
        client.login("any", secret)
        with pytest.raises(smtplib.SMTPDataError, match="there is no active account to send from"):
            client.sendmail("hello@acme.example", ["ann@x.example"], CONTENT)
    for _ in range(50):  # each begins its handshake before or after the service is ready for it
        with smtplib.SMTP_SSL(HOST, tls_port, timeout=10) as client:
            assert client.noop()[0] == 250
    assert up.get("/readyz").json()["parts"]["smtp"] == "ok"
    well = pennypost.run("doctor", **ports, **files).stdout
    assert f"ok    SMTP            smtp://127.0.0.1:{port} and smtps://127.0.0.1:{tls_port} responds" in well
    ends = authority.issue_cert(HOST, not_after=clock.now() + timedelta(days=5))
    ends.cert_chain_pems[0].write_to_path(str(certificate))
    ends.private_key_pem.write_to_path(str(key))
    assert "warn  SMTP            the certificate ends on" in pennypost.run("doctor", **ports, **files).stdout
    assert up.stop() < 10
    assert up.running.returncode == 0


@pytest.mark.postgres
def test_several_processes_share_the_port_and_tell_their_clients_that_they_stop(pennypost: Pennypost) -> None:
    port = free_port()
    pennypost.prints("migrate")
    smtp = pennypost.start("smtp", "--processes", "2", PENNYPOST_SMTP_PORT=str(port)).wait_for("email can be submitted")
    with socket.create_connection((HOST, port), timeout=30) as client:
        assert client.recv(1_000).startswith(b"220 ")
        assert smtp.stop() < 10
        assert client.recv(1_000) == b"421 4.3.2 the service is stopping, try again in a moment\r\n"
    assert smtp.running.returncode == 0
    wait_until(lambda: not smtp.children)
