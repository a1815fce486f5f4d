"""The newcomer's quiz: questions whose answers are found from the README and the names of the files alone."""

from pathlib import Path

from tests.support.table import table

ROOT = Path(__file__).resolve().parent.parent
QUIZ = [
    ("Where is a daily quota counted?", "webapp/models/outbox/daily_quota.py", "count_claimed"),
    ("What does a server's answer 421 mean?", "webapp/sending/outcomes.py", "classify"),
    ("Who may revoke an API key?", "webapp/domain/roles.py", "KEYS"),
    ("After how many minutes is a mail tried again?", "webapp/domain/delivery/retry_policy.py", "RETRY_DELAYS"),
    ("How does one SMTP connection get from mail to mail?", "webapp/domain/delivery/connection.py", "run"),
    ("How long is an idle SMTP connection kept?", "webapp/sending/smtp/pool.py", "IDLE_SECONDS"),
    ("Which SASL mechanisms does a login try?", "webapp/sending/smtp/sign_in.py", "sign_in"),
    ("When does a campaign that is refused again and again stop?", "webapp/domain/delivery/run_breaker.py", "ALIKE"),
    ("How do the rows of a dead worker come back?", "webapp/domain/delivery/recovery.py", "reclaim"),
    ("Which addresses may nobody's SMTP host have?", "webapp/sending/host_policy.py", "is_private"),
    ("How is an unsubscribe link made, and undone?", "webapp/domain/contacts/unsubscribe.py", "subscribe_again"),
    ("Which CSV column says that somebody opted out?", "webapp/domain/contacts/consent_columns.py", "consent_field"),
    ("How is an import of contacts undone?", "webapp/domain/imports/undo.py", "undo"),
    ("When is a Google Sheet read into its segment?", "webapp/domain/segments/google_sheet_sync.py", "read_due"),
    ("Which filters may a merge tag use?", "webapp/domain/merge_tags/filters.py", "FILTERS"),
    ("How is the text part made of the html?", "webapp/sending/mime/html_text.py", "text_of"),
    ("When is the next run of a recurring campaign?", "webapp/domain/campaigns/recurrence.py", "def "),
    ("How many contacts may the Free plan have?", "webapp/domain/plans/plans.py", "max_contacts"),
    ("How is a second factor checked at sign-in?", "webapp/domain/auth/two_step.py", "finish_sign_in"),
    ("For how long is an invitation good?", "webapp/domain/team/invitations.py", "LASTS"),
    ("What happens to a repeated Idempotency-Key?", "webapp/domain/api_requests/idempotency.py", "respond_once"),
    ("How many requests a second may a key send?", "webapp/http/rate_limit.py", "admit"),
    ("Which jobs run by the clock?", "jobs/periodic.py", "Periodic("),
    ("What happens to waiting mail after a restore?", "webapp/domain/instance/restore.py", "halt_emails"),
]


@table(("question", "file", "name"), QUIZ)
def test_the_answer_is_where_a_newcomer_looks(question: str, file: str, name: str) -> None:
    assert question.endswith("?")
    assert name in (ROOT / file).read_text()


def test_the_quiz_has_a_question_for_each_part() -> None:
    assert len({file for _, file, _ in QUIZ}) == len(QUIZ) == 24
