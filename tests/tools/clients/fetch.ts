// The types of openapi-typescript and the client of openapi-fetch.
import createClient from "openapi-fetch";
import type { paths, webhooks } from "./generated/schema.js";

type Answer<T> = { data?: T; error?: { error: string; message?: string } };
type Bounced = webhooks["email.bounced"]["post"]["requestBody"]["content"]["application/json"];

export const reasonOf = (event: Bounced): string => event.data.bounce.diagnosticCode.join("; ");

function must<T>({ data, error }: Answer<T>): T {
  if (data === undefined) throw new Error(error?.message ?? error?.error ?? "no answer");
  return data;
}

const { PENNYPOST_URL: url, PENNYPOST_API_KEY: key, ACCOUNT_KEY: accountKey } = process.env;
if (!url || !key || !accountKey) throw new Error("PENNYPOST_URL, PENNYPOST_API_KEY and ACCOUNT_KEY are missing");
const client = createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${key}` } });

const tags = [{ name: "client", value: "openapi-fetch" }];
const email = { from: "shop@example.com", to: "ada@example.org", subject: "Order 1042", text: "Thank you.", tags };
const sent = must(await client.POST("/v1/emails", { body: { ...email, account_key: accountKey } }));
const later = must(
  await client.POST("/v1/emails", { body: { ...email, account_key: accountKey, scheduled_at: "tomorrow 9am" } }),
);
const query = { tag: "client:openapi-fetch", limit: 5 };
const listed = must(await client.GET("/v1/emails", { params: { query } }));
const people = Array.from({ length: 1_000 }, (_, number) => ({ email: `fetch${number}@example.org` }));
const upserted = must(await client.POST("/v1/contacts/batch", { body: people }));
const moved = must(
  await client.PATCH("/v1/emails/{email_id}", {
    params: { path: { email_id: later.id } },
    body: { scheduled_at: "in 2 days" },
  }),
);
const metrics = must(await client.GET("/v1/metrics", { params: { query: { group_by: "day,tag" } } }));
console.log(
  JSON.stringify({
    listed: listed.data.map((row) => row.id).sort().join() === [sent.id, later.id].sort().join(),
    created: upserted.data.filter((row) => row.status === "created").length,
    scheduled: later.scheduled_at ?? null,
    moved: moved.data.scheduled_at,
    accepted: metrics.data.find((row) => row.tag === query.tag)?.accepted ?? 0,
  }),
);
