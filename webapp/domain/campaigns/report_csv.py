"""A report as CSV: a line per number with its section, subject and name."""

from collections.abc import Iterator

from webapp.domain.campaigns.report import Details, Report
from webapp.domain.csv_writer import BOM, csv_lines
from webapp.domain.tracking.engagement import Figure

COLUMNS = ("section", "item", "measure", "value")

Line = tuple[str, object, str, object]


def report_file(report: Report) -> bytes:
    """Contains what is counted so far, which is everything if `is_counted`."""
    return BOM + csv_lines([COLUMNS, *_summary(report), *_details(report)])


def _summary(report: Report) -> Iterator[Line]:
    sums, result = report.sums, report.result
    yield "summary", "campaign", "title", report.campaign.title
    yield "summary", "campaign", "started_at", sums.started_at
    yield "summary", "campaign", "finished_at", sums.finished_at
    if result is not None:
        yield "summary", "recipients", "total", result.total
        for status, recipients in result.counts.items():
            yield "summary", "recipients", status, recipients
    for name in ("skipped", "bounced", "complained", "deleted"):
        yield "summary", "emails", name, getattr(sums, name)
    if report.details and report.details.unsubscribed is not None:
        yield "summary", "contacts", "unsubscribed", report.details.unsubscribed


def _details(report: Report) -> Iterator[Line]:
    details = report.details
    if details is None:
        return
    for name in ("opens", "clicks"):
        if figure := getattr(details, name):
            yield from _figure(name, "all", figure)
    for span in details.timeline:
        yield "timeline", span.start.isoformat(sep=" ", timespec="minutes"), "sent", span.sent
    for link in details.links:
        yield from _figure("links", link.url, link.clicks)
    yield from _providers(details)
    for bounce in details.bounces:
        yield "bounces", bounce.sub_type, bounce.kind, bounce.emails
    for failure in details.failures:
        yield "failures", failure.reason, "emails", failure.mails


def _providers(details: Details) -> Iterator[Line]:
    for line in details.providers:
        for name in ("sent", "failed", "bounced", "complained"):
            yield "providers", line.provider, name, getattr(line, name)
        for name in ("opens", "clicks"):
            if getattr(details, name) is not None:
                yield "providers", line.provider, f"{name}_people", getattr(line, name).people
                yield "providers", line.provider, f"{name}_fetched", getattr(line, name).fetched


def _figure(section: str, item: str, figure: Figure) -> Iterator[Line]:
    yield section, item, "people", figure.people
    yield section, item, "fetched", figure.fetched
    for rule, recipients in figure.left_out.items():
        if recipients:
            yield section, item, str(rule), recipients
