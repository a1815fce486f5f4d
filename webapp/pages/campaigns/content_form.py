"""The form of a campaign's content: its template and its own fields."""

from collections.abc import Mapping
from typing import Any

from webapp.domain.campaigns.campaigns import SAYS
from webapp.domain.campaigns.inputs import UTM, CampaignChanges
from webapp.domain.campaigns.tracked_links import tracking_of
from webapp.errors import FieldError, ValidationError
from webapp.http.forms import Form
from webapp.models import Campaign, Organization

CONTENT_LABELS = {
    "subject": "The subject",
    "preview_text": "The preview text",
    "from_name": "The name",
    "from_email": "The From address",
    "reply_to": "The reply address",
    "media_ids": "The attachments",
}
NAMED = {
    "template_id": "Template",
    "subject": "Subject",
    "preview_text": "Preview text",
    "from_name": "From name",
    "from_email": "From address",
    "reply_to": "Reply-to address",
    "media_ids": "Attachments",
    **{f"utm_{name}": f"UTM {name}" for name in UTM},
    "tracking": "Tracking",
}
TRACKING = {"off": "Off", "opens": "Opens", "clicks": "Clicks", "opens_clicks": "Opens and clicks"}


def tracking_options(org: Organization) -> list[tuple[str, str]]:
    default = "_".join(name for name, is_on in (("opens", org.track_opens), ("clicks", org.track_clicks)) if is_on)
    return [("", f"Default ({TRACKING[default or 'off'].lower()})"), *TRACKING.items()]


def content_values(campaign: Campaign) -> dict[str, Any]:
    values = {name: getattr(campaign, name) for name in SAYS if name not in ("utm", "tracking")}
    if campaign.tracking is not None:
        values["tracking"] = "_".join(name for name, is_on in campaign.tracking.items() if is_on) or "off"
    values |= {f"utm_{name}": value for name, value in (campaign.utm or {}).items()}
    return {name: value for name, value in values.items() if value is not None}


def differences(changed: Campaign, form: Form, names: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """The label of each field that others saved differently, with their value and the form's; `names` are by id."""
    theirs, rows = content_values(changed) | {"template_id": changed.template_id}, []
    for name, label in NAMED.items():
        their, mine = (_in_words(values.get(name), names) for values in (theirs, form.values))
        if their != mine:
            rows.append((label, their, mine))
    return rows


def _in_words(value: Any, names: Mapping[str, str]) -> str:
    values = value if isinstance(value, list) else [value or ""]
    return ", ".join(names.get(str(item), str(item)) for item in values)


def read_content(form: Form) -> CampaignChanges:
    """Empty fields are null. Raises ValidationError with the names of the form's fields."""
    utm = {name: form.values.get(f"utm_{name}") for name in UTM}
    chosen = form.values.get("tracking")
    tracking = {name: name in chosen for name in ("opens", "clicks")} if chosen in TRACKING else None
    part = Form({name: form.values.get(name) for name in ("template_id", *SAYS)} | {"utm": utm, "tracking": tracking})
    is_chosen = part.values["template_id"] or form.values.get("then") == "audience"  # which may come before the choice
    unchosen = [] if is_chosen else [FieldError("template_id", "Select a template.")]
    try:
        return part.read(CampaignChanges, faults=unchosen)
    except ValidationError as refusal:
        raise refusal.renamed(lambda field: field.replace("utm.", "utm_", 1)) from None


def tracking_text(org: Organization, campaign: Campaign) -> str:
    counted = "_".join(name for name, is_on in tracking_of(org, campaign).items() if is_on)
    return TRACKING[counted or "off"]
