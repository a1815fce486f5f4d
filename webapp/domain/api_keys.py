"""Issues, finds and revokes API keys."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Annotated, Literal, NamedTuple, TypeVar
from uuid import UUID

from pydantic import AfterValidator, Field

from webapp import clock, crypto, db
from webapp.domain.audit.audit import AuditAction, record_on
from webapp.domain.inputs import Id, Input, Instant, Name
from webapp.domain.key_scope import current_scope, read_network, read_sender
from webapp.domain.pagination import Listed, Page, fetch_page
from webapp.domain.roles import Role, role_in
from webapp.errors import Conflict, Forbidden, InvalidValue, NotFound, ValidationError
from webapp.models import Account, ApiKey, Organization, User

LIFETIMES = {"7": 7, "30": 30, "90": 90, "365": 365}  # days by list value
SCOPE = ("allowed_from", "allowed_account_ids", "allowed_networks")
SCOPE_ITEMS = 100  # in each part of a key's scope
Entry = TypeVar("Entry")
Scoped = Annotated[list[Entry], Field(max_length=SCOPE_ITEMS), AfterValidator(lambda items: list(dict.fromkeys(items)))]


class NewKey(Input):
    """Without `expires_at`, the key lasts until it is revoked."""

    name: Name = Field(description="What the key is for.")
    role: Literal["viewer", "sender", "editor", "admin"] = Field(description="The permissions of the key.")
    expires_at: Instant | None = Field(default=None, description="When the key expires.")
    allowed_from: Scoped[Annotated[str, AfterValidator(read_sender)]] = Field(
        default=[], description="The addresses and `@domain`s that the key may send from; all if empty."
    )
    allowed_account_ids: Scoped[Id] = Field(default=[], description="The accounts that it may use; all if empty.")
    allowed_networks: Scoped[Annotated[str, AfterValidator(read_network)]] = Field(
        default=[], description="The networks that it may be used from, like `203.0.113.0/24`; all if empty."
    )

    @classmethod
    def name_of(cls, loc: Sequence[int | str]) -> str:
        return str(loc[0])  # the words name the item of a list


class IssuedKey(NamedTuple):
    key: ApiKey
    secret: str  # not stored, so it can only be shown now


async def issue_key(org: Organization, data: NewKey, maker: User | None = None) -> IssuedKey:
    """Locks the organization. Raises Forbidden for a role above the maker's, ValidationError if already expired.

    Raises Forbidden for a key with a scope, which could make one without.
    """
    current_scope().require_unlimited("create API keys")
    role = Role(data.role)
    if data.expires_at is not None and data.expires_at <= clock.now():
        raise ValidationError.at("expires_at", "must be in the future")
    await _check_accounts(org, data.allowed_account_ids)
    secret = crypto.new_api_key()
    async with db.write_transaction():
        await org.locked_plan()  # orders this with changes of the maker's role
        maker_role = Role.OWNER if maker is None else await role_in(org, maker.id)
        if maker_role is None or not maker_role.allows(role):
            actual = maker_role.with_article if maker_role else f"no longer in {org.name}"
            raise Forbidden(f"insufficient role: a key's role can't exceed yours (you are {actual})")
        key = await ApiKey.create(
            org=org,
            name=data.name,
            role=role,
            key_hash=crypto.digest(secret),
            prefix=secret[: crypto.DISPLAY_LENGTH],
            maker=maker,
            expires_at=data.expires_at,
            allowed_from=data.allowed_from,
            allowed_account_ids=list(map(str, data.allowed_account_ids)),
            allowed_networks=data.allowed_networks,
        )
        scope = {name: getattr(key, name) for name in SCOPE if getattr(key, name)}
        details = {"begins_with": key.prefix, "role": role, "expires_at": data.expires_at, **scope}
        await record_on(key, AuditAction.KEY_ISSUED, **details)
    return IssuedKey(key, secret)


async def _check_accounts(org: Organization, ids: Sequence[UUID]) -> None:
    """Raises ValidationError unless all of these are accounts of the organization."""
    if ids and await Account.of(org).filter(id__in=ids).count() < len(ids):
        raise ValidationError.at("allowed_account_ids", "must be accounts of this organization")


async def issue_by_key(issuer: ApiKey, data: NewKey) -> IssuedKey:
    """A key for a program that has one; it has its maker and ends with it at the latest. Raises like `issue_key`."""
    maker = None if issuer.maker_id is None else await User.get_or_none(id=issuer.maker_id)
    ends = [at for at in (data.expires_at, issuer.expires_at) if at is not None]
    return await issue_key(issuer.org, data.model_copy(update={"expires_at": min(ends, default=None)}), maker)


def expires_after(lifetime: str) -> datetime | None:
    """Raises ValidationError if the lifetime is not in the list; empty means no end."""
    if not lifetime:
        return None
    if lifetime not in LIFETIMES:
        raise ValidationError.at("lifetime", InvalidValue.choice("an option from the list"))
    return clock.now() + timedelta(days=LIFETIMES[lifetime])


async def list_keys(org: Organization, page: Page) -> Listed[ApiKey]:
    return await fetch_page(ApiKey.of(org).filter(revoked_at=None).order_by("-id").prefetch_related("maker"), page)


async def account_names(org: Organization, scopes: Iterable[Iterable[str]]) -> dict[str, str]:
    """The names of the accounts that keys are limited to, by id; deleted ones are missing."""
    ids = {account_id for scope in scopes for account_id in scope}
    accounts = await Account.of(org).filter(id__in=list(ids)).only("id", "name") if ids else []
    return {str(account.id): account.name for account in accounts}


find_key = ApiKey.one_of


async def revoke_key(key: ApiKey) -> None:
    """Every process rejects the key within a second; locks the organization. Raises OutsideScope."""
    current_scope().require_unlimited("revoke API keys")
    org = await Organization.get(id=key.org_id)
    async with db.write_transaction():
        await org.locked_plan()  # before the key's row, like changes of the team
        if await key.revoke(clock.now()):
            await record_on(key, AuditAction.KEY_REVOKED, begins_with=key.prefix)


async def revoke_named_key(text: str) -> ApiKey:
    """Finds the key by its text or first characters. Raises NotFound, Conflict if several match."""
    is_complete = crypto.is_api_key(text)
    if not is_complete and len(text) != crypto.DISPLAY_LENGTH:
        raise NotFound(f"give the full key, or its first {crypto.DISPLAY_LENGTH} characters as shown in API keys")
    which = {"key_hash": crypto.digest(text)} if is_complete else {"prefix": text}
    living = await ApiKey.with_org(**which).filter(revoked_at=None)
    if not living:
        raise NotFound("the key does not exist or is already revoked")
    if len(living) > 1:
        names = ", ".join(sorted(f"{key.name} of {key.org.name}" for key in living))
        raise Conflict(f"{len(living)} keys start with {text} ({names}): give the full key")
    await revoke_key(living[0])
    return living[0]


async def find_key_of(secret: str) -> ApiKey | None:
    """Returns the key with its organization, also if it is invalid; a mistyped key costs no query."""
    return await ApiKey.with_org(key_hash=crypto.digest(secret)).first() if crypto.is_api_key(secret) else None


async def record_key_use(uses: Mapping[UUID, datetime]) -> None:
    await db.run_many(
        "UPDATE api_keys SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)",
        sorted(uses.items()),  # in the order in which everyone locks several keys
    )
