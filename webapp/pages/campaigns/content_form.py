"""The form of a campaign's content: its template, and what it says for itself."""

from typing import Any

from webapp.domain.campaigns.campaigns import SAYS
from webapp.domain.campaigns.inputs import UTM, CampaignChanges
from webapp.errors import FieldError, ValidationError
from webapp.http.forms import Form
from webapp.models import Campaign


def content_values(campaign: Campaign) -> dict[str, Any]:
    said = {name: getattr(campaign, name) for name in SAYS if name != "utm"}
    said |= {f"utm_{name}": value for name, value in (campaign.utm or {}).items()}
    return {name: value for name, value in said.items() if value is not None}


def read_content(form: Form) -> CampaignChanges:
    """Empty fields are null. Raises ValidationError with the names of the form's fields."""
    utm = {name: form.values.get(f"utm_{name}") for name in UTM}
    whole = Form(dict.fromkeys(SAYS) | form.values | {"utm": utm})
    try:
        return whole.read(CampaignChanges, "template_id")
    except ValidationError as refusal:
        faults = [FieldError(*(text.replace("utm.", "utm_", 1) for text in fault)) for fault in refusal.details]
        raise ValidationError(details=faults) from None
