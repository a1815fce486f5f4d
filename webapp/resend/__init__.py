"""The door in Resend's shapes at /resend: its clients work by changing their base URL."""

from importlib import import_module
from pkgutil import iter_modules

from quart import Blueprint, Quart

from webapp.http import error_pages
from webapp.http.paths import RESEND
from webapp.resend.errors import shape

NOUNS = [
    module
    for info in iter_modules(__path__)
    if hasattr(module := import_module(f"{__name__}.{info.name}"), "blueprint")
]


def register(app: Quart) -> None:
    door = Blueprint("resend", __name__)
    for noun in NOUNS:
        door.register_blueprint(noun.blueprint)
    app.register_blueprint(door, url_prefix=RESEND)
    error_pages.use_shape(app, RESEND, shape)
