"""Sample requests for a terminal, Python and Node."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

VARIABLE = "PENNYPOST_API_KEY"
LANGUAGES = {"curl": "curl", "python": "Python", "node": "Node"}


class CodeSample(NamedTuple):
    language: str
    title: str
    text: str


@dataclass(frozen=True)
class Request:
    method: str
    url: str
    body: Any
    needs_key: bool
    secret: str | None = None
    form: Mapping[str, Any] | None = None  # instead of a body: a file's name as `file`, and fields
    answers_file: bool = False


def samples_of(request: Request) -> list[CodeSample]:
    written = {"curl": _curl(request), "python": _python(request), "node": _node(request)}
    return [CodeSample(language, title, written[language]) for language, title in LANGUAGES.items()]


def _curl(request: Request) -> str:
    parts = [f"curl {request.url}"]
    if request.method != ("GET" if request.body is None and request.form is None else "POST"):
        parts.append(f"-X {request.method}")
    if request.secret:
        parts.append(f"-H 'Authorization: Bearer {request.secret}'")
    elif request.needs_key:
        parts.append(f'-H "Authorization: Bearer ${VARIABLE}"')
    if request.body is not None:
        quoted = pretty(request.body).replace("'", "'\\''")
        parts += ["-H 'Content-Type: application/json'", f"-d '{quoted}'"]
    if request.answers_file:
        parts.append("--remote-name --remote-header-name")
    parts += [f"-F {name}={'@' if name == 'file' else ''}{value}" for name, value in _fields_of(request).items()]
    return " \\\n  ".join(parts)


def _python(request: Request) -> str:
    lines = ["import os", ""] if request.needs_key and not request.secret else []
    lines += ["import requests", "", f"response = requests.{request.method.lower()}(", f'    "{request.url}",']
    if request.secret:
        lines.append(f'    headers={{"Authorization": "Bearer {request.secret}"}},')
    elif request.needs_key:
        lines.append(f'    headers={{"Authorization": f"Bearer {{os.environ[\'{VARIABLE}\']}}"}},')
    if request.body is not None:
        lines.append(f"    json={python_literal(request.body, '    ')},")
    if request.form is not None:
        fields = _fields_of(request)
        lines += [f'    files={{"file": open("{fields.pop("file")}", "rb")}},', f"    data={json.dumps(fields)},"]
    used = 'open("file", "wb").write(response.content)' if request.answers_file else "print(response.json())"
    return "\n".join([*lines, "    timeout=30,", ")", "response.raise_for_status()", used])


def python_literal(value: Any, margin: str = "") -> str:
    inner = margin + "    "
    if isinstance(value, dict) and value:
        fields = [f"{inner}{json.dumps(name)}: {python_literal(item, inner)}," for name, item in value.items()]
        return "\n".join(["{", *fields, margin + "}"])
    if isinstance(value, list) and value:
        return "\n".join(["[", *(f"{inner}{python_literal(item, inner)}," for item in value), margin + "]"])
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def _node(request: Request) -> str:
    options = [] if request.method == "GET" else [f'method: "{request.method}",']
    headers = [f"Authorization: `Bearer ${{process.env.{VARIABLE}}}`,"] if request.needs_key else []
    if request.secret:
        headers = [f'Authorization: "Bearer {request.secret}",']
    if request.body is not None:
        headers.append('"Content-Type": "application/json",')
    if headers:
        options += ["headers: {", *(f"  {header}" for header in headers), "},"]
    if request.body is not None:
        options += f"body: JSON.stringify({pretty(request.body)}),".splitlines()
    before = []
    if request.form is not None:
        fields = _fields_of(request)
        file = fields.pop("file")
        before = ['import { openAsBlob } from "node:fs";', "", "const form = new FormData();"]
        before.append(f'form.set("file", await openAsBlob("{file}"), "{file}");')
        before += [f'form.set("{name}", "{value}");' for name, value in fields.items()]
        options.append("body: form,")
    if request.answers_file:
        before = ['import { writeFile } from "node:fs/promises";', ""]
    used = (
        'writeFile("file", Buffer.from(await response.arrayBuffer()))'
        if request.answers_file
        else "console.log(await response.json())"
    )
    call = [f'const response = await fetch("{request.url}"']
    if options:
        call = [f"{call[0]}, {{", *(f"  {option}" for option in options), "}"]
    return "\n".join(
        [
            *before,
            *call[:-1],
            f"{call[-1]});",
            "if (!response.ok) throw new Error(await response.text());",
            f"{used};",
        ]
    )


def _fields_of(request: Request) -> dict[str, str]:
    fields = request.form or {}
    return {name: value if isinstance(value, str) else json.dumps(value) for name, value in fields.items()}


def pretty(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


VERIFICATION = {
    "python": """import os

from flask import Flask, abort, request
from standardwebhooks import Webhook, WebhookVerificationError

app = Flask(__name__)


@app.post("/webhooks")
def receive():
    try:
        event = Webhook(os.environ["SECRET"]).verify(request.data, dict(request.headers))
    except WebhookVerificationError:  # the signature is wrong, or more than 5 minutes old
        abort(400)
    print(event["type"], event["data"])
    return "", 204""",
    "node": """import express from "express";
import { Webhook } from "standardwebhooks";

const app = express();

app.post("/webhooks", express.raw({ type: "application/json" }), (request, response) => {
  let event;
  try {
    event = new Webhook(process.env.SECRET).verify(request.body, request.headers);
  } catch { // the signature is wrong, or more than 5 minutes old
    return response.sendStatus(400);
  }
  console.log(event.type, event.data);
  response.sendStatus(204);
});

app.listen(3000);""",
}
# Receivers of webhooks that verify the signature.
VERIFICATION_SAMPLES = [CodeSample(language, LANGUAGES[language], text) for language, text in VERIFICATION.items()]
