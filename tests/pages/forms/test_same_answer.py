"""A sign-up gets the same answer in the same time for every address."""

import random
from bisect import bisect_right
from itertools import combinations
from math import exp, sqrt

import pytest

from tests.factories import make_contact, make_suppression
from tests.figures import Figures
from tests.pages.conftest import Visitor
from tests.pages.forms.conftest import elsewhere
from webapp import clock
from webapp.models import Organization, SignUpForm

EACH = 200
KINDS = ("unknown", "known", "unsubscribed", "suppressed")
PAIRS = list(combinations(KINDS, 2))
SIGNIFICANCE = 0.01 / len(PAIRS)  # of each pair (Bonferroni), so that all six err once in a hundred runs
TERMS = 100  # of the series


def kolmogorov_smirnov(first: list[float], second: list[float]) -> float:
    """The p-value of the two-sample Kolmogorov-Smirnov test: how likely samples of one distribution differ as much.

    Asymptotic, with Stephens' correction for small samples (Numerical Recipes, 14.3.3).
    """
    first, second = sorted(first), sorted(second)
    furthest = max(
        abs(bisect_right(first, value) / len(first) - bisect_right(second, value) / len(second))
        for value in (*first, *second)
    )
    root = sqrt(len(first) * len(second) / (len(first) + len(second)))
    scaled = (root + 0.12 + 0.11 / root) * furthest
    if scaled < 0.2:  # where the series converges slowly, to 1
        return 1.0
    return min(1.0, max(0.0, 2 * sum((-1) ** (n - 1) * exp(-2 * (n * scaled) ** 2) for n in range(1, TERMS))))


async def prepare(org: Organization, kind: str, email: str) -> None:
    if kind == "known":
        await make_contact(org, email)
    elif kind == "unsubscribed":
        await make_contact(org, email, status="unsubscribed", unsubscribed_at=clock.now())
    elif kind == "suppressed":
        await make_suppression(org, email)


@pytest.mark.parametrize("slower", [0.0, 0.2, 0.5])
def test_the_test_tells_distributions_apart(slower: float) -> None:
    chance = random.Random(7)
    samples = [[chance.lognormvariate(0, 0.25) + extra for _ in range(EACH)] for extra in (0.0, slower)]
    assert (kolmogorov_smirnov(*samples) < SIGNIFICANCE) == (slower > 0)


@pytest.mark.soak
@pytest.mark.alone
@pytest.mark.timeout(600)
async def test_nobody_learns_from_a_sign_up_who_is_subscribed(
    stranger: Visitor, acme: Organization, form: SignUpForm, figures: Figures
) -> None:
    for kind in KINDS:
        for number in range(EACH):
            await prepare(acme, kind, f"{kind}{number}@example.org")
    turns = [(kind, number) for kind in KINDS for number in range(EACH)]
    random.Random().shuffle(turns)  # so that whatever else the machine does meets all kinds alike
    seconds: dict[str, list[float]] = {kind: [] for kind in KINDS}
    answers = set()
    for kind, number in [("unknown", EACH), *turns]:  # the first one loads what the others find loaded
        stranger.app.extensions.pop("sign_up_throttle", None)
        body, place = {"email": f"{kind}{number}@example.org"}, elsewhere()
        began = clock.elapsed()
        page = await stranger.post(f"/f/{form.key}", json=body, scope_base=place)
        seconds[kind].append(clock.elapsed() - began)
        answers.add((page.status, page.data, tuple(sorted(page.response.headers.keys()))))
    del seconds["unknown"][0]
    assert len(answers) == 1
    for first, second in PAIRS:
        p_value = kolmogorov_smirnov(seconds[first], seconds[second])
        figures(f"p-value of answer times, {first} and {second}", p_value, at_least=SIGNIFICANCE)
