"""The conversation with one client (RFC 5321, RFC 6409), read from top to bottom in `run`."""

import asyncio
import logging
import re
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, ExitStack

from webapp import metrics
from webapp.addresses import Address
from webapp.db.errors import is_outage
from webapp.domain.emails.submit import Submission, submit_email
from webapp.errors import ApiError, Unauthorized
from webapp.logs import RateLimitedLogger
from webapp.smtp.connection import BadLine, ClientConnection, Closed, TooLarge, TooSlow
from webapp.smtp.door import Caller, Door, admits
from webapp.smtp.paths import read_mail, read_rcpt, too_large
from webapp.smtp.replies import AWAY, CLOSING, Refused, line, reply_to
from webapp.smtp.sign_in import read_login

log = logging.getLogger(__name__)
complaints = RateLimitedLogger(log)

RECIPIENTS = 100
SIGN_IN_SECONDS, IDLE_SECONDS = 60.0, 300.0  # until the sign-in, and between commands (RFC 5321, 4.5.3.2.7)
COMMAND_SECONDS = 30.0  # before the sign-in
MOST_ERRORS = 100  # commands that make no sense, which end the session
MOST_SIGN_INS = 3

HOST = re.compile(r"[A-Za-z0-9._:\[\]-]{1,255}")
BEFORE_TLS = ("EHLO", "HELO", "STARTTLS", "NOOP", "QUIT", "RSET", "HELP")
STOPPING = "421 4.3.2 the service is stopping, try again in a moment"


class Session:
    def __init__(self, door: Door, connection: ClientConnection, address: str, *, is_tls: bool) -> None:
        """`is_tls`: the client begins with a handshake."""
        self._door, self._connection, self._address = door, connection, address
        self._begins_with_tls, self._is_tls = is_tls, False
        self._caller: Caller | None = None
        self._on_sign_in: Sequence[Callable[[], None]] = ()
        self._held = ExitStack()
        self._host: str | None = None  # of the greeting
        self._errors = self._sign_ins = 0
        self._is_over = self._is_stopping = self._is_in_message = False
        self._reset()

    def _reset(self) -> None:
        self._is_begun = self._has_utf8 = False
        self._recipients: list[Address] = []

    async def run(self, on_sign_in: Callable[[], None]) -> None:
        """Until the client leaves, is too slow or too many, or the service stops."""
        metrics.smtp_sessions.inc()
        try:
            with self._door.new_session(self, self._address) as forget, self._held:
                self._on_sign_in = forget, on_sign_in
                if not admits(self._door.settings, self._address):
                    self._connection.reply(line("554 5.7.0", self._door.why_not_admitted))
                    return
                async with asyncio.timeout(SIGN_IN_SECONDS) as self._patience:
                    await self._converse()
        except (TooSlow, TimeoutError):
            self._connection.reply("421 4.4.2 nothing came for too long")
        except (Closed, OSError):  # a failed handshake is an OSError too
            pass
        except Exception:
            log.exception("an SMTP session failed")
            self._connection.reply("421 4.3.0 the service has an internal error")
        finally:
            self._connection.close()

    def evict(self) -> None:
        """Ends a session that has not signed in, for a newer one of its network."""
        self._end("421 4.7.0 too many connections of this network that did not sign in")

    def stop(self) -> None:
        """Ends the session, or lets it finish the message that it receives."""
        self._is_stopping = True
        if not self._is_in_message:
            self._end(STOPPING)

    def _end(self, reply: str) -> None:
        self._connection.reply(reply)
        self._connection.end(Closed())
        self._connection.close()

    async def _converse(self) -> None:
        if self._begins_with_tls:
            await self._start_tls(is_begun=True)
        self._connection.reply(f"220 {self._door.name} ESMTP Pennypost")
        while not self._is_over:
            seconds = COMMAND_SECONDS if self._caller is None else IDLE_SECONDS
            try:
                command = (await self._connection.read_line(seconds)).decode()
            except BadLine as error:
                self._connection.reply(f"500 5.5.2 {error}")
                return
            except UnicodeDecodeError:
                self._refuse("500 5.5.2 commands must be UTF-8")
                continue
            await self._obey(command)
            if self._is_stopping:
                self._connection.reply(STOPPING)
                return

    async def _obey(self, command: str) -> None:
        verb, _, argument = command.partition(" ")
        verb, argument = verb.upper(), argument.strip()
        if self._door.certificate is not None and not self._is_tls and verb not in BEFORE_TLS:
            self._refuse("530 5.7.0 send STARTTLS first")
            return
        handle = getattr(self, f"_do_{verb.lower()}", None) if verb.isascii() and verb.isalpha() else None
        if handle is None:
            self._refuse("502 5.5.1 the command is not known")
        elif argument and verb in ("DATA", "RSET", "QUIT", "STARTTLS"):
            self._refuse(f"501 5.5.4 {verb} has no parameters")
        else:
            try:
                await handle(argument)
            except Refused as refusal:
                self._refuse(str(refusal))

    def _refuse(self, reply: str) -> None:
        self._errors += 1
        self._connection.reply(reply)
        if self._errors >= MOST_ERRORS:
            self._connection.reply("421 4.7.0 too many errors")
            self._is_over = True

    async def _do_ehlo(self, host: str) -> None:
        self._greet(host)
        extensions = ["PIPELINING", f"SIZE {self._door.max_bytes}", "8BITMIME", "SMTPUTF8", "ENHANCEDSTATUSCODES"]
        if self._door.certificate is not None and not self._is_tls:
            extensions.append("STARTTLS")
        elif self._caller is None:
            extensions.append("AUTH PLAIN LOGIN")
        for text in [self._door.name, *extensions[:-1]]:
            self._connection.reply(f"250-{text}")
        self._connection.reply(f"250 {extensions[-1]}")

    async def _do_helo(self, host: str) -> None:
        self._greet(host)
        self._connection.reply(f"250 {self._door.name}")

    def _greet(self, host: str) -> None:
        if not HOST.fullmatch(host):
            raise Refused("501 5.5.4 the greeting must name a host or an address")
        self._host = host
        self._reset()

    async def _do_noop(self, _: str) -> None:
        self._connection.reply("250 2.0.0 OK")

    async def _do_rset(self, _: str) -> None:
        self._reset()
        self._connection.reply("250 2.0.0 OK")

    async def _do_help(self, _: str) -> None:
        self._connection.reply("214 2.0.0 sign in with an API key as the password, then send")

    async def _do_vrfy(self, _: str) -> None:
        self._connection.reply("252 2.5.0 addresses are checked when they are sent to")

    async def _do_quit(self, _: str) -> None:
        self._connection.reply("221 2.0.0 bye")
        self._is_over = True

    async def _do_starttls(self, _: str) -> None:
        if self._door.certificate is None or self._is_tls:
            self._refuse("503 5.5.1 TLS is not available, or in use already")
            return
        self._connection.reply("220 2.0.0 go ahead")
        await self._start_tls(is_begun=False)
        self._host = None  # what was said before does not count (RFC 3207, 4.2)
        self._reset()

    async def _start_tls(self, *, is_begun: bool) -> None:
        if self._door.certificate is not None:
            await self._connection.start_tls(self._door.certificate.context(), is_begun=is_begun)
            self._is_tls = True

    async def _do_auth(self, argument: str) -> None:
        if self._caller is not None or self._is_begun or self._host is None:
            self._refuse("503 5.5.1 AUTH comes once, after EHLO and before MAIL")
            return
        try:
            login = await read_login(self._connection, argument, COMMAND_SECONDS)
            caller = await self._door.sign_in(*login, self._address)
            self._held.enter_context(self._door.session_of(caller.org))
        except ApiError as error:
            self._refuse_login(error)
        except Exception as error:
            if not is_outage(error):
                raise
            complaints.warn("SMTP logins cannot be checked: %s", str(error) or type(error).__name__)
            self._connection.reply("454 4.7.0 the login cannot be checked just now, try again later")
        else:
            self._caller = caller
            self._patience.reschedule(None)
            for call in self._on_sign_in:
                call()
            self._connection.reply("235 2.7.0 signed in")

    def _refuse_login(self, error: ApiError) -> None:
        reply = reply_to(error)
        if not reply.startswith(CLOSING):
            text = "the password must be a valid API key" if isinstance(error, Unauthorized) else str(error)
            reply = line("535 5.7.8", text)
        self._sign_ins += 1
        self._refuse(reply)
        if reply.startswith(CLOSING) or self._sign_ins >= MOST_SIGN_INS:
            self._is_over = True

    async def _do_mail(self, argument: str) -> None:
        if self._caller is None:
            self._refuse("530 5.7.0 sign in with AUTH first")
        elif self._is_begun or self._host is None:
            self._refuse("503 5.5.1 MAIL comes after EHLO, once for each message")
        else:
            self._has_utf8 = read_mail(argument, self._door.max_bytes)
            await self._begin_message(self._caller)

    async def _begin_message(self, caller: Caller) -> None:
        try:
            self._caller = await self._door.begin_message(caller, self._address)
        except Unauthorized:
            self._connection.reply("421 4.7.0 the API key is no longer valid")
            self._is_over = True
        except ApiError as error:
            reply = reply_to(error)
            self._connection.reply(reply)
            self._is_over = reply.startswith(CLOSING)
        except Exception as error:
            if not is_outage(error):
                raise
            self._connection.reply(AWAY)
        else:
            self._is_begun = True
            self._connection.reply("250 2.1.0 OK")

    async def _do_rcpt(self, argument: str) -> None:
        if not self._is_begun:
            self._refuse("503 5.5.1 MAIL comes first")
            return
        address = read_rcpt(argument)
        if len(self._recipients) >= RECIPIENTS:
            self._connection.reply(f"452 4.5.3 a message may have {RECIPIENTS} recipients at most")
        else:
            self._recipients.append(address)
            self._connection.reply("250 2.1.5 OK")

    async def _do_data(self, _: str) -> None:
        if self._caller is None or not self._is_begun:
            self._refuse("503 5.5.1 MAIL comes first")
        elif not self._recipients:
            self._refuse("554 5.5.1 no recipient was accepted")
        else:
            self._connection.reply("354 end with a dot on a line of its own")
            self._is_in_message = True
            reply = await self._receive(self._caller)
            self._is_in_message = False
            metrics.smtp_emails.labels(reply[:3]).inc()
            self._errors = 0 if reply.startswith("250") else self._errors + 1
            self._reset()
            self._connection.reply(reply)
            self._is_over = reply.startswith(CLOSING)

    async def _receive(self, caller: Caller) -> str:
        async with AsyncExitStack() as held:
            try:
                content = await self._connection.read_message(self._door.tiers(caller), held)
            except TooLarge:
                return too_large(self._door.max_bytes)
            except ApiError as error:  # no slot is free; the rest of the message would be read as commands
                return line("421 4.3.2", str(error))
            return await self._accept(caller, content)

    async def _accept(self, caller: Caller, content: bytes) -> str:
        """The reply; 250 only once the email is committed."""
        kind = "".join(("UTF8" if self._has_utf8 else "E", "SMTPS" if self._is_tls else "SMTP", "A"))
        client = f"[IPv6:{self._address}]" if ":" in self._address else f"[{self._address}]"
        origin = f"from {self._host} ({client})\r\n\tby {self._door.name} with {kind}"
        submission = Submission(self._recipients, content, origin, caller.account_key)
        try:
            return f"250 2.0.0 {await submit_email(caller.org, submission)}"
        except ApiError as error:
            return reply_to(error)
        except Exception as error:
            if is_outage(error):
                complaints.warn("email submitted by SMTP cannot be saved: %s", str(error) or type(error).__name__)
            else:
                log.exception("an email submitted by SMTP could not be saved")
            return AWAY
