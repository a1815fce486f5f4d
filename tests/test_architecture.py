"""The structure of the code, tested like its behaviour."""

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import webapp.models
from tests.run import ON_BOTH
from tests.structure import ROOT, domain_packages, imports, name_of, nodes_of, sources, tree_of
from webapp.models.base.org_model import OrgModel
from webapp.queue import Job

BOTTOM = {
    "addresses", "backoff", "batcher", "bounded_process", "clock", "config", "contact_fields", "crypto", "db", "errors",
    "fair_slots", "file_locks", "hosts", "json_encoder", "languages", "logs", "loop_monitor", "media_store",
    "metrics", "queue", "redis", "secret_names", "tasks",
}  # fmt: skip

# Which layer may import which: down, never sideways, never up.
ARROWS = {
    **dict.fromkeys(BOTTOM, BOTTOM),
    "models": BOTTOM - {"media_store"},
    "sending": BOTTOM - {"db", "queue"},
    "domain": BOTTOM | {"models", "sending"},
    "http": BOTTOM | {"domain", "models"},
    "api": BOTTOM | {"domain", "http", "models"},
    "pages": BOTTOM | {"domain", "http", "models"},
    "resend": BOTTOM | {"domain", "http", "models"},
    "sandbox_inbox": BOTTOM | {"domain"},
    "health": BOTTOM | {"domain"},
    "metrics_endpoint": BOTTOM | {"domain", "health", "models"},
    "acceptor": BOTTOM,
    "smtp": BOTTOM | {"acceptor", "domain", "models"},
    "server": BOTTOM | {"acceptor", "http"},
    "app": BOTTOM | {"api", "pages", "resend", "http", "health"},
    "jobs": BOTTOM | {"domain", "sending"},
    "cli": BOTTOM | {"app", "domain", "health", "jobs", "metrics_endpoint", "sandbox_inbox", "server", "smtp"},
}

# Written in other languages than Python, they meet a stranger's input in the processes of these scripts alone.
NATIVE = {"css_inline": "compiler.py", "lxml": "", "mjml": "compiler.py", "PIL": "picture.py", "pyexpat": "compiler.py"}
NATIVE |= {"xml": "compiler.py"}

# Whose words stay where.
LIBRARIES = {
    "arq": {"jobs", "redis"},
    "quart": {"api", "app", "health", "http", "metrics_endpoint", "pages", "resend", "server"},
    "tortoise": {"cli", "config", "db", "domain", "models"},
    "click": {"cli"},
    "dateparser": {"domain"},
    "dns": {"sending"},
    "aiosmtpd": {"sandbox_inbox"},
    "h11": {"sending"},
    "httpx2": {"sending"},
    "imapclient": {"sending"},
    "liquid": {"domain"},
    "obstore": {"media_store"},
    "prometheus_client": {"metrics", "metrics_endpoint"},
    "PIL": {"domain"},
    "css_inline": {"domain"},
    "markdown_it": {"pages"},
    "mjml": {"domain"},
    "xml": {"domain"},
}

# The look-ups that know no organization, and why each may be.
ACROSS_ORGS = {
    "webapp/domain/delivery/dispatcher.py": (1, "a worker sends for all"),
    "webapp/domain/delivery/campaign_content.py": (1, "a worker sends for all, each mail with its organization's"),
    "webapp/domain/accounts/accounts.py": (1, "the doctor of the instance names sign-ins that end"),
    "webapp/domain/from_checks/from_checks.py": (1, "the doctor of the instance names addresses that fail"),
    "webapp/domain/accounts/oauth_tokens.py": (1, "a worker sends for all, each mail with its own account's token"),
    "webapp/domain/contacts/bulk.py": (2, "a worker goes on with every change"),
    "webapp/domain/imports/undo.py": (3, "a worker undoes every import; those that are too old go, whosever they are"),
    "webapp/domain/imports/worker.py": (2, "a worker goes on with every import"),
    "webapp/domain/team/invitations.py": (1, "those that are too old go, whosever they are"),
    "webapp/domain/team/join.py": (1, "a link says whose invitation it is"),
    "webapp/domain/campaigns/run_rows.py": (1, "a worker makes the rows of every run"),
    "webapp/domain/auth/owners.py": (1, "an instance with any owner is claimed"),
    "webapp/domain/notifications/notifications.py": (3, "members of all are mailed what each chose for each of theirs"),
    "webapp/domain/instance/restore.py": (2, "what a restored database holds is halted for all"),
    "webapp/domain/personal_data/by_person.py": (1, "a mailed link says whose data it is about"),
    "webapp/domain/personal_data/erase.py": (3, "a worker erases for all, each person from their organization's rows"),
    "webapp/domain/sandbox/sandbox.py": (1, "an account key says which organization it is"),
    "webapp/domain/campaigns/scheduler.py": (1, "schedules fire for all"),
    "webapp/domain/instance/secret_rotation.py": (1, "the operator's doctor opens every secret"),
    "webapp/domain/instance/lost_secrets.py": (3, "the operator lost the keys of all"),
    "webapp/domain/delivery/live_state.py": (1, "a worker sends for all"),
    "webapp/domain/auth/sessions.py": (3, "a person who signs in may be in any organization"),
    "webapp/domain/webhooks/deliver.py": (1, "a worker posts for all, to each webhook what is its organization's"),
    "webapp/domain/forms/sign_up.py": (1, "a form's key says whose it is"),
    "webapp/domain/forms/confirm.py": (1, "a signed link says whose sign-up it is"),
    "webapp/domain/forms/floods.py": (2, "a worker closes flooded forms of all, and forgets what is over"),
    "webapp/domain/reader_mail/queue.py": (4, "a worker mails for all, to each reader what is its organization's"),
    "webapp/domain/media/media.py": (1, "whoever reads an email sees its pictures"),
    "webapp/domain/contacts/unsubscribe.py": (2, "a signed link says whose contact it is"),
    "webapp/domain/tracking/hits.py": (1, "a signed link says whose it is"),
    "webapp/domain/tracking/placeholders.py": (1, "a worker sends for all, each mail with its organization's links"),
    "webapp/domain/tracking/judging.py": (5, "a worker judges the hits of all"),
    "webapp/domain/api_requests/idempotency.py": (1, "a worker forgets the keys of all"),
}

# What tests put something else in the place of, and why there is no other way.
REPLACED = {("tests/sending/smtp/test_connect.py", "host_policy"): "no public address can be dialled in a test"}

FETCHES = {"get", "get_or_none", "filter", "all", "first", "exclude", "get_or_create", "update_or_create", "in_bulk"}
TENANTS = {name for name in webapp.models.__all__ if issubclass(getattr(webapp.models, name), OrgModel)}


@pytest.fixture(scope="module", autouse=True)
def trees() -> Iterator[None]:
    """The parsed files, until these tests are done: the collector would go through them again and again."""
    yield
    nodes_of.cache_clear()
    tree_of.cache_clear()


def layer_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return "jobs" if parts[0] == "jobs" else parts[1]


def imports_of(path: Path) -> Iterator[tuple[str, ...]]:
    """Every imported module as its parts; `from webapp import db` counts as webapp.db."""
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from (tuple(alias.name.split(".")) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            parts = tuple(node.module.split("."))
            yield from ((*parts, alias.name) for alias in node.names) if parts == ("webapp",) else [parts]


def test_imports_point_down() -> None:
    for path in sources("webapp", "jobs"):
        layer = layer_of(path)
        if layer == "__init__":
            continue
        for parts in imports_of(path):
            target = parts[1] if parts[0] == "webapp" and len(parts) > 1 else parts[0]
            if parts[0] in ("webapp", "jobs") and target not in (layer, "__version__"):
                assert target in ARROWS[layer], f"{name_of(path)} imports {'.'.join(parts)}"


@pytest.mark.parametrize("imports_of_each", [domain_packages, imports])
def test_no_packages_of_domain_and_no_files_import_each_other(
    imports_of_each: Callable[[], dict[str, set[str]]],
) -> None:
    TopologicalSorter(imports_of_each()).prepare()  # or CycleError names those that do


def test_libraries_stay_where_they_belong_and_native_parsers_in_processes_of_their_own() -> None:
    for path in sources("webapp", "jobs"):
        for parts in imports_of(path):
            allowed = LIBRARIES.get(parts[0], {layer_of(path)})
            assert layer_of(path) in allowed, f"{name_of(path)} imports {'.'.join(parts)}"
            assert path.name == NATIVE.get(parts[0], path.name), f"{name_of(path)} imports {'.'.join(parts)}"


def test_a_tenants_rows_are_reached_through_its_organization() -> None:
    for path in sources("webapp", "jobs"):
        if layer_of(path) == "models":
            continue
        for node in nodes_of(path):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in TENANTS:
                assert node.attr not in FETCHES, f"{name_of(path)}:{node.lineno} {node.value.id}.{node.attr}"


@pytest.mark.parametrize("layer", ["api", "http", "pages"])
def test_doors_use_models_as_types_alone(layer: str) -> None:
    for path in sources(f"webapp/{layer}"):
        for node in nodes_of(path):
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func).partition(".")[0]
                assert name not in webapp.models.__all__, f"{name_of(path)}:{node.lineno} {ast.unparse(node.func)}"


def test_look_ups_across_organizations_are_known() -> None:
    found = Counter(
        name_of(path)
        for path in sources("webapp", "jobs")
        for node in nodes_of(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "across_orgs"
    )
    assert found == {path: count for path, (count, _) in ACROSS_ORGS.items()}


def test_every_job_has_a_function() -> None:
    handled = {
        node.attr
        for path in sources("jobs")
        for node in nodes_of(path)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "Job"
    }
    assert handled == {job.name for job in Job}


def test_tests_replace_nothing_of_ours() -> None:
    replaced = set()
    for path in sources("tests"):
        text = path.read_text()
        assert 'mock.patch("' + "webapp" not in text, name_of(path)
        if "monkeypatch.setattr" not in text:  # to parse all tests takes many seconds
            continue
        ours = {
            alias.asname or alias.name
            for node in nodes_of(path)
            if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in ("webapp", "jobs")
            for alias in node.names
        }
        for node in nodes_of(path):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and (node.func.attr, ast.unparse(node.func.value)) == ("setattr", "monkeypatch")
            ):
                target = ast.unparse(node.args[0])
                if target.partition(".")[0] in ours | {"webapp", "jobs"}:
                    replaced.add((name_of(path), target))
    assert replaced == REPLACED.keys()


def test_the_tests_of_postgresql_alone_run_on_it() -> None:
    assert [path for path in ON_BOTH if not (ROOT / path).exists()] == []
    folders = tuple(str(ROOT / path) for path in ON_BOTH)
    assert [
        path
        for path in sources("tests")
        if ".mark.postgres" in path.read_text()
        and not str(path).startswith(folders)
        and path.name != "test_architecture.py"
    ] == []
