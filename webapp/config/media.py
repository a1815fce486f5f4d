"""Where the media library stores its files: a folder, or a bucket of S3-compatible storage."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from webapp.config.environment import ENCODE, split_server_url

LIKE = (
    "must be a URL like file:///path/to/folder or s3://KEY:SECRET@s3.eu-central-1.amazonaws.com/bucket?region="
    f"eu-central-1; {ENCODE}"
)
OF_AMAZON = re.compile(r"s3[.-]([a-z0-9-]+)\.amazonaws\.com")
DEFAULT_REGION = "us-east-1"  # also for servers without regions


@dataclass(frozen=True)
class MediaBucket:
    """A bucket, and the prefix of our files in it, which may be empty."""

    endpoint: str
    name: str
    prefix: str
    region: str
    key: str
    secret: str = field(repr=False)

    def __str__(self) -> str:  # without the key, because logs and pages show it
        return f"{self.endpoint}/{self.name}{f'/{self.prefix}' if self.prefix else ''}"


def parse_media_url(text: str) -> Path | MediaBucket:
    """Raises ValueError, whose message leaves the URL out, because it has a secret."""
    try:
        parts = urlsplit(text) if text.startswith("file:") else split_server_url(text)
        query = {name: values[0] for name, values in parse_qs(parts.query, strict_parsing=bool(parts.query)).items()}
        port = parts.port
    except ValueError:
        raise ValueError(LIKE) from None
    if parts.scheme == "file" and not parts.netloc and parts.path.strip("/") and not query:
        return Path(unquote(parts.path)).absolute()
    name, _, prefix = unquote(parts.path).strip("/").partition("/")
    is_whole = parts.hostname and parts.username and parts.password and name
    if parts.scheme != "s3" or not is_whole or port == 0 or not query.keys() <= {"region", "tls"} or parts.fragment:
        raise ValueError(LIKE)
    if query.get("tls", "none") != "none":
        raise ValueError("must not have a tls other than none, which is for a server in the house")
    host = f"[{parts.hostname}]" if ":" in str(parts.hostname) else str(parts.hostname)
    named = OF_AMAZON.fullmatch(host)
    return MediaBucket(
        endpoint=f"{'http' if 'tls' in query else 'https'}://{host}{f':{port}' if port else ''}",
        name=name,
        prefix=prefix,
        region=query.get("region") or (named[1] if named else DEFAULT_REGION),
        key=unquote(str(parts.username)),
        secret=unquote(str(parts.password)),
    )
