"""Tries that a process counts in its own memory."""

from webapp.domain.throttle import Throttle


def test_a_throttle_forgets_the_idlest_key() -> None:
    throttle = Throttle(1, 60, max_keys=2)
    for key in ("a", "b", "c"):
        throttle.consume(key)
    assert throttle.consume("a") == 0
    assert throttle.consume("c") > 0
