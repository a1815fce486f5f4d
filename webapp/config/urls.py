"""Parses server URLs with passwords, which are often not percent-encoded; errors never repeat a password."""

from urllib.parse import SplitResult, urlsplit

ENCODE = "percent-encode special characters in the password (@ as %40, / as %2F, # as %23, ? as %3F, : as %3A)"


def split_server_url(text: str) -> SplitResult:
    """Raises ValueError for a URL whose password may be cut short by a character that is not percent-encoded."""
    if not text.isprintable() or " " in text:
        raise ValueError(f"must not have spaces or control characters: {ENCODE}")
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:  # whose text may contain a part of the password
        raise ValueError(f"has a port that is not a number from 1 to 65535: correct it, or {ENCODE}") from None
    if parts.scheme != "unix" and _is_cut_short(parts):
        raise ValueError(f"has an @ behind its host: {ENCODE}")
    return parts


def _is_cut_short(parts: SplitResult) -> bool:
    if parts.scheme == "s3" and "@" in parts.netloc:  # names in a bucket may have an @
        return False
    is_in_query = any("@" in item and "=" not in item.partition("@")[0] for item in parts.query.split("&"))
    return "@" in parts.path or "@" in parts.fragment or is_in_query
