"""Changes a person's name."""

import unicodedata
from typing import Annotated, Any

from pydantic import AfterValidator

from webapp import addresses, db
from webapp.domain.audit.audit import AuditAction, record
from webapp.domain.auth.sessions import SignedInUser
from webapp.domain.inputs import Input, OneLine
from webapp.errors import InvalidValue
from webapp.models.people import NAME_LENGTH

ADDRESS_SIGNS = set("@<>")
FILLERS = set("\u115f\u1160")  # invisible letters, to which NFKC maps the others


def _name_part(text: str) -> str:
    text = " ".join(addresses.shown(text).split())
    if len(text) > NAME_LENGTH:
        raise InvalidValue.bound("most", f"{NAME_LENGTH} characters")
    plain = unicodedata.normalize("NFKC", text)  # the wide @ too
    if ADDRESS_SIGNS & set(plain):
        raise ValueError("must not contain @, < or >")
    if text and not any(char.isalnum() for char in set(plain) - FILLERS):
        raise ValueError("must contain a letter or a digit")
    return text


NamePart = Annotated[str, OneLine, AfterValidator(_name_part)]


class PersonName(Input):
    first_name: NamePart = ""
    last_name: NamePart = ""

    def parts(self) -> dict[str, Any]:
        return {"first_name": self.first_name, "last_name": self.last_name}


async def change_name(signed_in: SignedInUser, data: PersonName) -> None:
    """Records it in each of the person's organizations; locks the person."""
    user = signed_in.user
    async with db.write_transaction():
        await user.lock()
        before = {name: getattr(user, name) for name in data.parts()}
        changed = {name: new for name, new in data.parts().items() if new != before[name]}
        if not changed:
            return
        await user.update_from_dict(changed).save(update_fields=[*changed, "updated_at"])
        details = {name: [before[name] or None, new or None] for name, new in changed.items()}
        for org in signed_in.organizations:
            await record(org, AuditAction.MEMBER_RENAMED, user.id, user.email, **details)
