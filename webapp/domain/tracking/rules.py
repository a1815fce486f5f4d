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
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from webapp.models import MailHit

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

    PERSON = "person"
    PROXY = "proxy"
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
    verdicts = [_alone(hit) for hit in hits]
    by_mail, by_network = defaultdict[UUID, list[int]](list), defaultdict[tuple[UUID | None, str], list[int]](list)
    for number in sorted(range(len(hits)), key=lambda number: hits[number].created_at):
        hit = hits[number]
        by_mail[hit.mail_log_id].append(number)
        if hit.run_id is not None and not any(proxy in hit.agent for proxy in IMAGE_PROXIES):
            by_network[hit.run_id, hit.network].append(number)
    ruled = [(HitVerdict.HEAD, _of_heads(hits, verdicts, numbers)) for numbers in by_mail.values()]
    ruled += [(HitVerdict.BURST, _of_bursts(hits, numbers)) for numbers in by_mail.values()]
    ruled += [(HitVerdict.SWEEP, _of_sweeps(hits, numbers)) for numbers in by_network.values() if len(numbers) >= SWEPT]
    for verdict, numbers in ruled:
        for number in numbers:
            # Apple's proxy fetches many recipients' pixels from one network, so only a burst overrules it.
            if verdicts[number] is HitVerdict.PERSON or (
                verdicts[number] is HitVerdict.PROXY and verdict is HitVerdict.BURST
            ):
                verdicts[number] = verdict
    return verdicts


def _alone(hit: MailHit) -> HitVerdict:
    if hit.is_head:
        return HitVerdict.HEAD
    if hit.is_prefetch:
        return HitVerdict.PREFETCH
    if not hit.agent.strip() or MACHINES.search(hit.agent):
        return HitVerdict.AGENT
    return HitVerdict.PROXY if hit.link_id is None and hit.agent.strip() == APPLE else HitVerdict.PERSON


def _of_heads(hits: Sequence[MailHit], verdicts: Sequence[HitVerdict], numbers: Sequence[int]) -> set[int]:
    heads = [hits[number] for number in numbers if verdicts[number] is HitVerdict.HEAD]
    return {
        number
        for number in numbers
        for head in heads
        if hits[number].network == head.network and abs(hits[number].created_at - head.created_at) <= HEAD_SPAN
    }


def _of_bursts(hits: Sequence[MailHit], numbers: Sequence[int]) -> set[int]:
    """The hits of an email, in order of time, that belong to a burst or are close to one from the same network."""
    clicks = [number for number in numbers if hits[number].link_id is not None]
    burst = _crowded(
        clicks, [hits[number].created_at for number in clicks], BURST, BURST_LINKS, lambda n: hits[n].link_id
    )
    networks = {(hits[number].network, hits[number].created_at) for number in burst}
    return burst | {
        number
        for number in numbers
        for network, at in networks
        if hits[number].network == network and abs(hits[number].created_at - at) <= REACH
    }


def _of_sweeps(hits: Sequence[MailHit], numbers: Sequence[int]) -> set[int]:
    return _crowded(numbers, [hits[n].created_at for n in numbers], REACH, SWEPT, lambda n: hits[n].mail_log_id)


def _crowded(
    numbers: Sequence[int], times: Sequence[datetime], span: timedelta, least: int, key: Callable[[int], object]
) -> set[int]:
    """The numbers within a period of `span` that has `least` different keys."""
    crowded, counts, first, done = set[int](), Counter[object](), 0, 0
    for last, number in enumerate(numbers):
        counts[key(number)] += 1
        while times[last] - times[first] > span:
            gone = key(numbers[first])
            counts[gone] -= 1
            if not counts[gone]:
                del counts[gone]
            first += 1
        if len(counts) >= least:
            crowded.update(numbers[max(first, done) : last + 1])
            done = last + 1
    return crowded
