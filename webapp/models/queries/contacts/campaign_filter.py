"""Conditions on whom a campaign reached and on what they opened and clicked, in SQL for filters of contacts."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from webapp import db
from webapp.db.dialects import Values
from webapp.models.base import row_total
from webapp.models.base.row_total import LongTable
from webapp.models.mail_log import FAILED, HALTED, PERSON, PROXY

MAY_BE_PERSON = f"(h.verdict IS NULL OR h.verdict IN ('{PERSON}', '{PROXY}'))"
# The states of mail that a contact did not get; halted mail may still be sent if its run is resumed.
UNSENT: Mapping[str, Sequence[str]] = {
    "got": (FAILED, HALTED),
    **dict.fromkeys(("reached", "not_opened", "not_clicked"), (FAILED,)),
}
# Conditions on hits `h`, and for those that want none, what the campaign must have tracked.
ENGAGED: Mapping[str, tuple[str, str | None]] = {
    "opened": (f"h.link_id IS NULL AND h.verdict = '{PERSON}'", None),
    "clicked": (f"h.link_id IS NOT NULL AND h.verdict = '{PERSON}'", None),
    "not_opened": (MAY_BE_PERSON, "opens"),  # a click shows that the email was opened
    "not_clicked": (f"h.link_id IS NOT NULL AND {MAY_BE_PERSON}", "clicks"),
}
NEGATED: Mapping[str, str] = {"not_got": "got", "not_reached": "reached"}


class CampaignQuery:
    """Conditions of one campaign; its ledger `k` has the contacts that it was queued for."""

    def __init__(self, org_id: UUID, campaign_id: UUID, values: Values, *, lists_hits: bool = False) -> None:
        """With `lists_hits`, contacts are compared with a list of all hits, which suits a page of the whole list."""
        self._lists_hits = lists_hits
        self._org, self._campaign, self._sql = values.name(org_id), values.name(campaign_id), db.dialect()

    def matching(self, op: str) -> str:
        """A condition on the contact `c`.

        With a hit that surely was a person's; or reached, and with no hit that may have been a person's. The latter is
        unknown for contacts that are not tracked, and if the campaign didn't track this.
        """
        if op in ENGAGED and ENGAGED[op][1] is None:
            if self._lists_hits:
                hits = self._hits(op).replace("SELECT", "SELECT DISTINCT", 1)
                return f"c.id IN ({hits} {self._sql.fence})"
            return self._has_hit(op, "c.id")
        conditions = [self._sql.none_of("k.contact_id", query) for query in self._not_tracked(op)]
        if op in ENGAGED:
            conditions.append(f"NOT {self._has_hit(op, 'k.contact_id')}")
        received = " AND ".join([self.received(op), *conditions, "k.contact_id = c.id"])
        return f"({' AND '.join([f'EXISTS ({received})', *self._is_tracked(op)])})"

    def received(self, op: str) -> str:
        """A query of the ledger, without those whose mail is all in the states that `op` excludes.

        PostgreSQL merges it with the contacts by their indexes. The ledger's organization is no condition, because
        PostgreSQL may then read all of its entries.
        """
        missed = self._sql.none_of("k.contact_id", self._missed(op))
        return f"SELECT k.contact_id FROM campaign_contacts k WHERE k.campaign_id = {self._campaign} AND {missed}"

    def count(self, op: str) -> str:
        """The number of contacts that match, from the ledger alone, as its entries go with their contacts.

        All who do not match are one list, because PostgreSQL would compare the ledger with each of several.
        """
        if op in NEGATED:
            return f"CASE WHEN {self.is_there} THEN {self._all_contacts()} - {self.count(NEGATED[op])} ELSE 0 END"
        if op in UNSENT:
            hits = [self._hits(op)] if op in ENGAGED else []
            others = " UNION ALL ".join([self._missed(op), *self._not_tracked(op), *hits])
            conditions = [self._sql.none_of("k.contact_id", others), *self._is_tracked(op), self.is_there]
        else:
            conditions = [self._has_hit(op, "k.contact_id"), self.is_there]
        entries = f"FROM campaign_contacts k WHERE k.campaign_id = {self._campaign}"
        return f"(SELECT COUNT(*) {entries} AND {' AND '.join(conditions)})"

    @property
    def is_there(self) -> str:
        return f"EXISTS (SELECT 1 FROM campaigns WHERE id = {self._campaign} AND org_id = {self._org})"

    def _missed(self, op: str) -> str:
        of_runs = f"campaign_run_id {self._sql.one_of(f'SELECT r.id {self._runs}')}"
        unsent = " OR ".join(f"{{0}}.status = '{state}'" for state in UNSENT[op])  # as in the index of such rows
        # A single run has no other row of the contact, so only several are searched for one.
        other = f"""EXISTS (SELECT 1 FROM mail_logs o WHERE o.{of_runs} AND o.contact_id = m.contact_id
            AND NOT ({unsent.format("o")}))"""
        return f"""SELECT m.contact_id FROM mail_logs m WHERE m.{of_runs} AND ({unsent.format("m")})
            AND m.contact_id IS NOT NULL AND NOT ((SELECT COUNT(*) > 1 {self._runs}) AND {other})"""

    def _not_tracked(self, op: str) -> list[str]:
        """A query of the contacts whose opens and clicks are unknown."""
        return [f"SELECT u.id FROM contacts u WHERE u.org_id = {self._org} AND u.do_not_track"] if op in ENGAGED else []

    def _is_tracked(self, op: str) -> list[str]:
        _, tracked = ENGAGED.get(op, ("", None))
        return [f"EXISTS (SELECT 1 {self._runs} AND {self._sql.is_true('r.tracking', tracked)})"] if tracked else []

    def _has_hit(self, op: str, contact: str) -> str:
        return f"EXISTS ({self._hits(op)} AND h.contact_id = {contact})"

    def _hits(self, op: str) -> str:
        own = f"h.campaign_id = {self._campaign} AND h.org_id = {self._org}"
        return f"SELECT h.contact_id FROM mail_hits h WHERE {own} AND h.contact_id IS NOT NULL AND {ENGAGED[op][0]}"

    def _all_contacts(self) -> str:
        if row_total.are_maintained():
            return row_total.total_sql(LongTable.CONTACTS, self._org)
        return f"(SELECT COUNT(*) FROM contacts WHERE org_id = {self._org})"

    @property
    def _runs(self) -> str:
        return f"FROM campaign_runs r WHERE r.campaign_id = {self._campaign} AND r.org_id = {self._org}"
