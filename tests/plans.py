"""Plans of the tests' own, as an operator's file gives them."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from webapp import config
from webapp.config import Settings


def use_plans(settings: Settings, plans: Mapping[str, Mapping[str, Any]], **changes: Any) -> Settings:
    """Go on as a process does that was started with this file of plans, and with other `changes`."""
    file = settings.data_dir / f"plans{len(list(settings.data_dir.glob('plans*')))}.json"
    file.write_text(json.dumps(plans))
    found = replace(settings, plans_file=file, **changes)
    config.configure(found)
    return found
