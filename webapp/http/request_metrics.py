"""Counts and times requests by route, for /metrics."""

from time import monotonic
from typing import Any, NamedTuple

from quart import Quart, Request, Response

from webapp import metrics
from webapp.http.hooks import current_values, hooks_of

OTHER = metrics.OTHER  # for methods and paths without a route, or strangers would choose labels


class _Series(NamedTuple):
    count: Any
    seconds: Any


_series: dict[tuple[str, str, int], _Series] = {}  # as finding them by their labels takes longer than counting


def register(app: Quart) -> None:
    hooks_of(app).after.append(_count)


def _count(request: Request, response: Response) -> None:
    with metrics.harmless():
        rule = request.url_rule
        method, route = (OTHER, OTHER) if rule is None else (request.method, rule.rule)
        key = method, route, response.status_code
        series = _series.get(key)
        if series is None:
            count = metrics.requests.labels(method, route, str(response.status_code))
            series = _series[key] = _Series(count, metrics.request_seconds.labels(route))
        series.count.inc()
        began = current_values().get("began")
        if began is not None:
            series.seconds.observe(monotonic() - began)
