"""The rules that tell people from machines. They use only a run's hits, so that they can be applied again.

| rule     | hits                                                                                              |
|----------|--------------------------------------------------------------------------------------------------|
| head     | a request without a body (HEAD), and the same network's others of that email around it            |
| prefetch | a request with a header that says that it was made in advance                                     |
| agent    | scanners, crawlers and libraries that give their names, and clients that give none                |
| burst    | three different links of one email within two seconds, and that network's other hits of the email |
| sweep    | one network at a run's emails of ten recipients within a minute; not the image proxies of webmail |
| proxy    | Apple's Mail Privacy Protection, which fetches all pixels: a person may have opened it, or not      |
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from enum import StrEnum
from uuid import UUID

from webapp.models import MailHit, mail_log

REACH = timedelta(minutes=1)  # before and after a hit, within which the rules consider others
BURST, BURST_LINKS = timedelta(seconds=2), 3
HEAD_SPAN = timedelta(seconds=2)
SWEPT = 10  # recipients
APPLE = "Mozilla/5.0"  # the whole user agent of Apple's proxy
IMAGE_PROXIES = ("GoogleImageProxy", "YahooMailProxy")  # which fetch for many people, when one opens the email
MACHINES = re.compile(
    r"(?<!cu)bot\b|crawl|spider|scan|preview|headless|phantom|barracuda|proofpoint|mimecast|bitdefender|symantec|sophos"
    r"|trend ?micro|fortinet|forcepoint|cloudmark|safelinks|urldefense|virustotal|facebookexternalhit|whatsapp"
    r"|^(?:curl|wget|python|java|go-http|okhttp|libwww|ruby|php|node|axios|apache-httpclient|postmanruntime)\b",
    re.IGNORECASE,
)


class HitVerdict(StrEnum):
    """From the best verdict to the worst."""

    PERSON = mail_log.PERSON
    PROXY = mail_log.PROXY
    PREFETCH = "prefetch"
    HEAD = "head"
    AGENT = "agent"
    BURST = "burst"
    SWEEP = "sweep"

    @property
    def is_machine(self) -> bool | None:
        """None if unclear."""
        return None if self is HitVerdict.PROXY else self is not HitVerdict.PERSON


def judge(hits: Sequence[MailHit]) -> list[HitVerdict]:
    """Verdicts in the order of the hits, which must include all within REACH of their emails and runs."""
    verdicts = {hit: _alone(hit) for hit in hits}
    by_mail, by_network = defaultdict[UUID, list[MailHit]](list), defaultdict[tuple[UUID, str], list[MailHit]](list)
    for hit in sorted(hits, key=lambda hit: hit.created_at):
        by_mail[hit.mail_log_id].append(hit)
        if hit.run_id is not None and not any(proxy in hit.agent for proxy in IMAGE_PROXIES):
            by_network[hit.run_id, hit.network].append(hit)
    ruled = [(HitVerdict.HEAD, _of_heads(of_mail, verdicts)) for of_mail in by_mail.values()]
    ruled += [(HitVerdict.BURST, _of_bursts(of_mail)) for of_mail in by_mail.values()]
    of_networks = (of_network for of_network in by_network.values() if len(of_network) >= SWEPT)
    ruled += [(HitVerdict.SWEEP, _crowded(of, REACH, SWEPT, lambda hit: hit.mail_log_id)) for of in of_networks]
    for verdict, judged in ruled:
        for hit in judged:
            # Apple's proxy fetches many recipients' pixels from one network, so only a burst overrules it.
            if verdicts[hit] is HitVerdict.PERSON or (
                verdicts[hit] is HitVerdict.PROXY and verdict is HitVerdict.BURST
            ):
                verdicts[hit] = verdict
    return list(verdicts.values())


def _alone(hit: MailHit) -> HitVerdict:
    if hit.is_head:
        return HitVerdict.HEAD
    if hit.is_prefetch:
        return HitVerdict.PREFETCH
    if not hit.agent.strip() or MACHINES.search(hit.agent):
        return HitVerdict.AGENT
    return HitVerdict.PROXY if hit.link_id is None and hit.agent.strip() == APPLE else HitVerdict.PERSON


def _of_heads(hits: Sequence[MailHit], verdicts: Mapping[MailHit, HitVerdict]) -> set[MailHit]:
    heads = [hit for hit in hits if verdicts[hit] is HitVerdict.HEAD]
    return {
        hit
        for hit in hits
        for head in heads
        if hit.network == head.network and abs(hit.created_at - head.created_at) <= HEAD_SPAN
    }


def _of_bursts(hits: Sequence[MailHit]) -> set[MailHit]:
    """The hits of an email, in order of time, that belong to a burst or are close to one from the same network."""
    clicks = [hit for hit in hits if hit.link_id is not None]
    burst = _crowded(clicks, BURST, BURST_LINKS, lambda hit: hit.link_id)
    networks = {(hit.network, hit.created_at) for hit in burst}
    return burst | {
        hit for hit in hits for network, at in networks if hit.network == network and abs(hit.created_at - at) <= REACH
    }


def _crowded(hits: Sequence[MailHit], span: timedelta, least: int, key: Callable[[MailHit], object]) -> set[MailHit]:
    """The hits, in order of time, within a period of `span` that has `least` different keys."""
    crowded, counts, first, done = set[MailHit](), Counter[object](), 0, 0
    for last, hit in enumerate(hits):
        counts[key(hit)] += 1
        while hit.created_at - hits[first].created_at > span:
            gone = key(hits[first])
            counts[gone] -= 1
            if not counts[gone]:
                del counts[gone]
            first += 1
        if len(counts) >= least:
            crowded.update(hits[max(first, done) : last + 1])
            done = last + 1
    return crowded
