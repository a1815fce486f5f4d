"""People are told from machines by the hits of a run."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from webapp.domain.tracking.rules import SWEPT, HitVerdict, judge
from webapp.models import MailHit

START = datetime(2026, 11, 26, 9, tzinfo=UTC)
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
RUN, MAIL = uuid4(), uuid4()
LINKS = [uuid4() for _ in range(5)]


def hit(seconds: float = 0, link: UUID | None = None, mail: UUID = MAIL, **fields: Any) -> MailHit:
    values = {"agent": FIREFOX, "network": "n1", "is_head": False, "is_prefetch": False, "run_id": RUN}
    return MailHit(created_at=START + timedelta(seconds=seconds), mail_log_id=mail, link_id=link, **values | fields)


@pytest.mark.parametrize(
    ("agent", "verdict"),
    [
        ("", HitVerdict.AGENT),
        ("curl/8.5.0", HitVerdict.AGENT),
        ("Mozilla/5.0 (compatible; Googlebot/2.1)", HitVerdict.AGENT),
        ("BarracudaCentral", HitVerdict.AGENT),
        ("Mozilla/5.0", HitVerdict.PROXY),
        (
            "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
            HitVerdict.PERSON,
        ),
        ("Mozilla/4.0 (compatible; ms-office; MSOffice 16)", HitVerdict.PERSON),
        ("Mozilla/5.0 (Linux; Android 15; CUBOT X20) AppleWebKit/537.36 Chrome/130 Mobile", HitVerdict.PERSON),
    ],
)
def test_agents_that_give_their_names(agent: str, verdict: HitVerdict) -> None:
    assert judge([hit(agent=agent)]) == [verdict]


def test_a_head_takes_its_networks_next_request_with_it() -> None:
    hits = [hit(0, LINKS[0], is_head=True), hit(1, LINKS[0]), hit(1, LINKS[0], network="n2"), hit(9, LINKS[0])]
    assert judge(hits) == [HitVerdict.HEAD, HitVerdict.HEAD, HitVerdict.PERSON, HitVerdict.PERSON]


def test_three_links_within_two_seconds_are_a_machines_with_all_of_its_network() -> None:
    hits = [
        *(hit(10 + number * 0.9, LINKS[number]) for number in range(3)),
        hit(5),
        hit(15, network="n2"),
        hit(500, LINKS[0]),
        hit(11, LINKS[0], mail=uuid4()),
    ]
    assert judge(hits) == [HitVerdict.BURST] * 4 + [HitVerdict.PERSON] * 3
    assert judge([hit(number * 1.1, LINKS[number]) for number in range(5)]) == [HitVerdict.PERSON] * 5
    assert judge([hit(number / 10, LINKS[0]) for number in range(5)]) == [HitVerdict.PERSON] * 5


def test_one_network_at_many_recipients_is_a_machines_but_no_image_proxy() -> None:
    numbered = [(number, uuid4()) for number in range(SWEPT)]
    people, proxies = [HitVerdict.PERSON] * SWEPT, [HitVerdict.PROXY] * SWEPT
    swept = [hit(number * 5, LINKS[0], mail) for number, mail in numbered]
    assert judge(swept) == [HitVerdict.SWEEP] * SWEPT
    assert judge(swept[1:]) == people[1:]
    assert judge([hit(number * 5, LINKS[0], mail, run_id=uuid4()) for number, mail in numbered]) == people
    assert judge([hit(number * 5, None, mail, agent="x GoogleImageProxy") for number, mail in numbered]) == people
    assert judge([hit(number * 5, None, mail, agent="Mozilla/5.0") for number, mail in numbered]) == proxies
    assert judge([hit(number * 10, LINKS[0], mail) for number, mail in numbered]) == people


def test_apples_proxy_fetches_pixels_not_links() -> None:
    assert judge([hit(link=LINKS[0], agent="Mozilla/5.0")]) == [HitVerdict.PERSON]
