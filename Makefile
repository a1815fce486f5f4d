# Everything here makes its own .venv from uv.lock; it needs Python 3.11 or newer, pip and make.
#   make setup    the .venv alone; SYNC=--no-dev leaves out the tools of the tests
#   make run      the whole service in one process
#   make dev      the same with demo data, started anew when a file changes; its data stays in .dev/ unless ARGS=--fresh
#   make test     the tests, on every database that is there; ARGS=tests/x.py those of a file
#   make quick    those of them that need no pages, waits or processes, on SQLite
#   make check    format, lint, types, tests, and what is known against the packages of uv.lock
#   make audit    the last of these alone; it fails where nobody could be asked
#   make soak     the tests that take long, on every database that is there
#   make migration NAME=what_changes    the migrations of changed models, for both databases
#   make bench    how fast it accepts and delivers
#   make bench-large    a campaign to a million contacts, and other mail meanwhile
#   make bench-api      the API's rate beside its framework's, and among a million rows
#   make bench-pages    what each page costs among 100,000 contacts and a million mails
#   make clients  three clients generated from the OpenAPI document, checked and run, and Resend's; needs npm
#   make docs     the documents as a site, in site/, after a check of their prose

PYTHON ?= python3
UV = uv==0.13.8
ARGS ?=
SYNC ?=

READY = .venv/.ready

.PHONY: setup migration run dev test quick soak lint audit check docs screenshots bench bench-large bench-api bench-pages clients

setup: $(READY)

migration: $(READY)
	@case "$$NAME" in ""|*[!a-z0-9_]*) echo "say what changes: make migration NAME=what_changes"; exit 2;; esac
	@for database in sqlite postgres; do \
		.venv/bin/aerich -c webapp/migrations/aerich_$$database.toml migrate --offline --name "$$NAME" || exit 1; \
	done

run: $(READY)
	@.venv/bin/pennypost up

dev: $(READY)
	@.venv/bin/python -m tests.tools.dev $(ARGS)

test: $(READY)
	@.venv/bin/python -m tests.run $(ARGS)

quick: $(READY)
	@.venv/bin/python -m tests.run --quick $(ARGS)

soak: $(READY)
	@.venv/bin/python -m tests.tools.soak $(ARGS)

# Gently: under make -j2 the tests run beside it.
lint: $(READY)
	nice .venv/bin/ruff format --check .
	nice .venv/bin/ruff check .
	nice .venv/bin/mypy

audit: $(READY)
	@.venv/bin/python -m tests.tools.audit --require-all

check: lint test
	@.venv/bin/python -m tests.tools.audit

# Sphinx's warnings are errors: a link that leads nowhere is one.
DOCS = env -u VIRTUAL_ENV .venv/bin/uv run --frozen --quiet --isolated --only-group docs --python .venv/bin/python --no-python-downloads
docs: $(READY)
	@$(DOCS) proselint --config .proselintrc.json check *.md docs
	@$(DOCS) sphinx-build -q -W --keep-going -b dirhtml docs site
	@echo "open site/index.html"

screenshots: $(READY)
	@.venv/bin/python -m tests.tools.screenshots $(ARGS)

bench: $(READY)
	@.venv/bin/python -m tests.tools.bench $(ARGS)

bench-large: $(READY)
	@.venv/bin/python -m tests.tools.bench.large $(ARGS)

bench-api: $(READY)
	@.venv/bin/python -m tests.tools.bench.api $(ARGS)

bench-pages: $(READY)
	@.venv/bin/python -m tests.tools.bench.pages $(ARGS)

clients: $(READY)
	@.venv/bin/python -m tests.tools.clients

# Debian's python3 may come without ensurepip: then its own pip fills the environment. The packages are compiled to
# bytecode at once: the first process that imports them all would keep 7 MB of what that takes.
$(READY): pyproject.toml uv.lock
	@$(PYTHON) -c 'import sys; sys.exit("Pennypost needs Python 3.11 or newer, this is %d.%d: make PYTHON=python3.11" % sys.version_info[:2] if sys.version_info < (3, 11) else 0)'
	@echo "installing packages into .venv, which takes a few minutes"
	@$(PYTHON) -m venv .venv >/dev/null || $(PYTHON) -m venv --without-pip .venv
	@.venv/bin/python -m pip install --quiet --disable-pip-version-check $(UV) 2>/dev/null \
		|| $(PYTHON) -m pip --python .venv/bin/python install --quiet --disable-pip-version-check $(UV)
	@env -u VIRTUAL_ENV .venv/bin/uv sync --frozen $(SYNC) --compile-bytecode --quiet --python .venv/bin/python --no-python-downloads
	@touch $@
