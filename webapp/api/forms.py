"""/v1/forms and its response bodies."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field
from quart import Blueprint, current_app, g
from typing_extensions import TypedDict

from webapp.api.responses import Done, Many, One, Time, answers, makes, shaped
from webapp.domain.forms import forms
from webapp.domain.forms.inputs import FormChanges, NewForm
from webapp.domain.forms.sign_up import NewSignUp, sign_up_by_program
from webapp.domain.roles import Action
from webapp.http.auth.permissions import guarded
from webapp.http.body.json_body import json_body
from webapp.http.paging import Paging, query
from webapp.models import SignUpForm

blueprint = Blueprint("forms", __name__, url_prefix="/forms")


class AskedField(TypedDict):
    """A field that a form asks for beside the address."""

    key: str
    label: str
    kind: Literal["text", "choice", "checkbox", "date"]
    required: bool
    options: list[str]


class FormCounts(TypedDict):
    """The numbers of sign-ups by the step that they reached."""

    submitted: Annotated[int, Field(description="Sign-ups that were sent.")]
    mailed: Annotated[int, Field(description="Sign-ups whose confirmation was mailed.")]
    opened: Annotated[int, Field(description="Confirmation pages that were opened, each counted once.")]
    confirmed: int
    expired: Annotated[int, Field(description="Sign-ups that nobody confirmed within 7 days.")]


class Form(TypedDict):
    """A form by which people sign up."""

    id: UUID
    key: Annotated[str, Field(description="The form's name in public addresses.")]
    url: Annotated[str, Field(description="The address of its page, to which forms on other sites post as well.")]
    name: str
    is_open: bool
    segment_ids: list[UUID]
    topic_ids: list[UUID]
    fields: list[AskedField]
    consent_text: str | None
    version: Annotated[int, Field(description="Rises when the fields or the consent's text change.")]
    double_opt_in: bool
    confirm_by: Literal["button", "click"]
    account_id: UUID | None
    subject: Annotated[str | None, Field(description="Ours in the form's language if null.")]
    body: Annotated[str | None, Field(description="Ours in the form's language if null.")]
    redirect_after_submit: str | None
    redirect_after_confirm: str | None
    allowed_origins: list[str]
    language: str | None
    counts: FormCounts
    created_at: Time
    updated_at: Time


@makes(Form)
def _form(row: SignUpForm) -> Form:
    counts = shaped(FormCounts, row)
    return shaped(Form, row, url=forms.url_of(row), fields=row.form_fields, counts=counts)


@blueprint.get("")
@guarded(Action.READ)
@query(Paging)
@answers(Many[Form])
async def index(query_args: Paging) -> object:
    """List forms, newest first."""
    return await forms.list_forms(g.caller.org, query_args.wanted)


@blueprint.post("")
@guarded(Action.FORMS)
@json_body(NewForm)
@answers(One[Form], 201)
async def create(data: NewForm) -> object:
    """Create a sign-up form.

    People type their address on the form's page or on your own site, get an email, and become contacts when they
    confirm. An organization can have 100 forms. `double_opt_in: false` makes contacts without a confirmation, and
    needs the role admin: anyone can then sign up anyone, and mailbox providers hold that against you.
    """
    return await forms.add_form(g.caller.org, data, g.caller.role)


@blueprint.get("/<form_id>")
@guarded(Action.READ, forms.find_form)
@answers(One[Form])
async def show(form: SignUpForm) -> object:
    """Get a form."""
    return form


@blueprint.patch("/<form_id>")
@guarded(Action.FORMS, forms.find_form)
@json_body(FormChanges)
@answers(One[Form])
async def change(form: SignUpForm, data: FormChanges) -> object:
    """Change a form.

    Omitted fields keep their values. `version` rises when `fields` or `consent_text` change.
    """
    return await forms.change_form(g.caller.org, form, data, g.caller.role)


@blueprint.delete("/<form_id>")
@guarded(Action.FORMS, forms.find_form)
@answers(Done)
async def remove(form: SignUpForm) -> None:
    """Delete a form.

    Its page and its confirmation links stop working. Contacts that it made are kept.
    """
    await forms.delete_form(g.caller.org, form)


@blueprint.post("/<form_id>/sign-ups")
@guarded(Action.FORMS, forms.find_form)
@json_body(NewSignUp, ignored=lambda _: [])
@answers(Done, 202)
async def add_sign_up(form: SignUpForm, data: NewSignUp) -> None:
    """Sign someone up.

    It is as if the person had filled in the form: they get an email, and become a contact when they confirm. The answer
    is the same for every address. An address gets one of these emails in 10 minutes and 3 a day, over all forms of this
    server; what is over that is answered like the others, and nothing is mailed.
    """
    if ignored := data.ignored(form):
        g.warnings = ignored
    await sign_up_by_program(g.caller.org, form, data, current_app.extensions["sign_up_throttle"])
