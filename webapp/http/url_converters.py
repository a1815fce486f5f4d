"""Converters for the paths of routes."""

from quart import Quart
from werkzeug.routing import BaseConverter, Map


class Other(BaseConverter):
    """Anything but these words, which are paths of their own: `<other(batch):email_id>`."""

    def __init__(self, url_map: Map, *words: str) -> None:
        super().__init__(url_map)
        self.regex = rf"(?!(?:{'|'.join(words)})\Z)[^/]+"


def register(app: Quart) -> None:
    app.url_map.converters["other"] = Other
